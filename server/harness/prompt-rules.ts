import type { Constraint, Problem, PromptBlock, Room } from "./contract";
import { PromptFrontMatterSchema } from "./file-schemas";
import { evaluateWhen, LiquidError, NOW_REFUSED, parseLiquid, renderLiquid, variablesOf, WHEN_OFFSET, WHEN_REFUSED, whenTemplate } from "./liquid";
import { messageOf, titleOf } from "./problem-texts";
import { type Range, Source } from "./source";
import { checkSchema, parseYaml, splitFrontMatter } from "./yaml-source";

export interface PromptReading {
	prompt: PromptBlock | null;
	problems: Problem[];
	source: Source;
	/** Where the body begins in the file. */
	bodyOffset: number;
	/** Where the `when` text begins in the file; null without one. */
	whenRange: Range | null;
}

/** Reads prompts/<id>.md: front matter, condition, and a body that parses as Liquid. */
export function readPrompt(path: string, id: string, text: string): PromptReading {
	const source = new Source(path, text);
	const front = splitFrontMatter(text);
	if (!front) {
		const problem = source.problem({
			rule: "front-matter-missing",
			...messageOf("front-matter-prompt"),
			fix: { ...titleOf("fix-front-matter"), text: `---\ntitle: ${id}\n---\n` },
		});
		return { prompt: null, problems: [problem], source, bodyOffset: 0, whenRange: null };
	}
	const yaml = parseYaml(source, front.yaml, front.yamlOffset);
	const checked = checkSchema(PromptFrontMatterSchema, yaml, source, "prompt-schema");
	const problems = [...yaml.problems, ...checked.problems];
	const whenRange = checked.value?.when === undefined ? null : yaml.rangeOf(["when"]);
	// The body is the file's own text from here on, so that its problems have places.
	const body = front.body;
	problems.push(...syntaxProblems(source, body, front.bodyOffset));
	if (checked.value?.when !== undefined) problems.push(...whenSyntax(source, checked.value.when, whenRange as Range));
	const broken = problems.some((problem) => problem.severity === "error");
	return {
		prompt: checked.value && !broken ? { id, title: checked.value.title, when: checked.value.when ?? null, body, path } : null,
		problems,
		source,
		bodyOffset: front.bodyOffset,
		whenRange,
	};
}

const variableIn = (detail: string) => /^undefined variable: (.+)$/.exec(detail)?.[1] ?? detail;

/** The engine's own words are English: what people meet most often is said in ours. */
function faultMessage(where: string, detail: string) {
	const open = /^(?:tag|output) (.+) not closed$/s.exec(detail)?.[1];
	if (open) return messageOf("liquid-not-closed", { where, what: open.replace(/^"(.*)"$/s, "$1").trim() });
	const filter = /^undefined filter: (.+)$/.exec(detail)?.[1];
	if (filter) return messageOf("liquid-filter", { where, name: filter });
	const tag = /^tag "(.+)" not found$/.exec(detail)?.[1];
	if (tag) return messageOf("liquid-tag", { where, name: tag });
	if (detail === WHEN_REFUSED) return messageOf("liquid-when", { where });
	if (detail === NOW_REFUSED) return messageOf("liquid-now", { where });
	if (/^parse length limit/.test(detail)) return messageOf("liquid-limit-length", { where });
	if (/^template (?:render )?limit/.test(detail)) return messageOf("liquid-limit-render", { where });
	if (/^memory alloc limit/.test(detail)) return messageOf("liquid-limit-memory", { where });
	return messageOf("liquid", { where, detail });
}

function syntaxProblems(source: Source, body: string, bodyOffset: number): Problem[] {
	try {
		parseLiquid(body);
		return [];
	} catch (error) {
		if (!(error instanceof LiquidError)) throw error;
		const at = bodyOffset + (error.fault.offset ?? 0);
		return [source.problem({ rule: error.fault.rule, ...faultMessage("Liquid", error.fault.message) }, [at, at + error.fault.length])];
	}
}

function whenSyntax(source: Source, when: string, range: Range): Problem[] {
	try {
		parseLiquid(whenTemplate(when));
		return [];
	} catch (error) {
		if (!(error instanceof LiquidError)) throw error;
		return [source.problem({ rule: error.fault.rule, ...faultMessage("`when`", error.fault.message) }, range)];
	}
}

/** Names that a template may use: those of at least one sample room, and the constraints. */
export function variableProblems(reading: PromptReading, constraints: Record<string, Constraint>, rooms: readonly Room[]): Problem[] {
	const { prompt, source, bodyOffset, whenRange } = reading;
	if (!prompt) return [];
	const problems: Problem[] = [];
	for (const variable of variablesOf(prompt.body)) {
		const why = unknownVariable(variable.segments, constraints, rooms);
		if (why)
			problems.push(
				problemOf(source, why, [bodyOffset + variable.offset, bodyOffset + variable.offset + variable.segments.join(".").length], variable.segments),
			);
	}
	if (prompt.when !== null && whenRange) {
		for (const variable of variablesOf(whenTemplate(prompt.when))) {
			const why = unknownVariable(variable.segments, constraints, rooms);
			const start = whenRange[0] + variable.offset - WHEN_OFFSET;
			if (why) problems.push(problemOf(source, why, [start, start + variable.segments.join(".").length], variable.segments));
		}
	}
	return problems;
}

interface UnknownVariable {
	known: string[];
	/** How many segments were fine. */
	depth: number;
}

function problemOf(source: Source, why: UnknownVariable, range: Range, segments: string[]): Problem {
	const name = segments.join(".");
	const known = why.known.slice(0, 12).map((key) => [...segments.slice(0, why.depth), key].join("."));
	return source.problem(
		{
			rule: "liquid-variable",
			...(known.length > 0 ? messageOf("liquid-variable-known", { name, known: known.join(", ") }) : messageOf("liquid-variable", { name })),
		},
		range,
	);
}

function unknownVariable(segments: string[], constraints: Record<string, Constraint>, rooms: readonly Room[]): UnknownVariable | null {
	const [root, ...rest] = segments;
	if (root === "constraints") {
		if (rest.length === 0 || Object.hasOwn(constraints, rest[0] as string)) return null;
		return { known: Object.keys(constraints), depth: 1 };
	}
	if (root !== "room") return { known: ["room", "constraints"], depth: 0 };
	if (rooms.length === 0) return null;
	let best: UnknownVariable = { known: [], depth: 0 };
	for (const room of rooms) {
		const miss = missIn(room, rest);
		if (!miss) return null;
		if (miss.depth + 1 > best.depth) best = { known: miss.known, depth: miss.depth + 1 };
	}
	return best;
}

function missIn(value: unknown, path: string[]): UnknownVariable | null {
	let current = value;
	for (const [depth, key] of path.entries()) {
		// What is null in a sample may hold anything elsewhere.
		if (current === null) return null;
		if (typeof current === "string") return key === "size" ? null : { known: ["size"], depth };
		if (typeof current !== "object") return { known: [], depth };
		if (["size", "first", "last"].includes(key) && !Object.hasOwn(current, key)) {
			if (!Array.isArray(current) || key === "size") return null;
			current = key === "first" ? (current[0] ?? null) : (current.at(-1) ?? null);
			continue;
		}
		if (Array.isArray(current) && /^-?\d+$/.test(key)) {
			current = current.at(Number(key)) ?? null;
			continue;
		}
		if (!Object.hasOwn(current, key)) return { known: Object.keys(current), depth };
		current = (current as Record<string, unknown>)[key];
	}
	return null;
}

const MAX_ROOMS_RENDERED = 12;

/**
 * Renders the block in the sample rooms, as an episode does: finds loops, limits, and what a room lacks without a guard.
 * Without a sample only what needs no room can be judged: the limits.
 */
export function renderProblems(reading: PromptReading, constraints: Record<string, Constraint>, rooms: readonly Room[]): Problem[] {
	const values = constraintValues(constraints);
	let lacking: Problem | null = null;
	for (const room of rooms.slice(0, MAX_ROOMS_RENDERED)) {
		const scope = { room, constraints: values };
		const problem = renderProblem(reading, scope, String(room.title ?? ""));
		if (problem?.severity === "error") return [problem];
		// What a room lacks ends the rendering there: a loop behind it shows where what is missing counts as empty.
		const limit = problem && limitProblem(reading, scope);
		if (limit) return [limit];
		lacking ??= problem;
	}
	const found = rooms.length === 0 ? limitProblem(reading, { room: {}, constraints: values }) : lacking;
	return found ? [found] : [];
}

function renderProblem({ prompt, source, bodyOffset, whenRange }: PromptReading, scope: Record<string, unknown>, room: string): Problem | null {
	if (!prompt) return null;
	let when = true;
	try {
		if (prompt.when !== null && !evaluateWhen(prompt.when, scope)) return null;
		when = false;
		renderLiquid(prompt.body, scope);
		return null;
	} catch (error) {
		if (!(error instanceof LiquidError)) throw error;
		const { fault } = error;
		if (when && whenRange) return source.problem({ rule: fault.rule, ...faultMessage("`when`", fault.message) }, whenRange);
		const at = bodyOffset + (fault.offset ?? 0);
		const range: Range = [at, at + fault.length];
		if (fault.rule !== "liquid-variable") return source.problem({ rule: fault.rule, ...faultMessage("Liquid", fault.message) }, range);
		const words = messageOf("liquid-variable-sometimes", { name: variableIn(fault.message), room });
		return source.problem({ rule: "liquid-variable-sometimes", severity: "warning", ...words }, range);
	}
}

/** Only what is over the limits, with all that the scope lacks counting as empty. */
function limitProblem({ prompt, source, bodyOffset, whenRange }: PromptReading, scope: Record<string, unknown>): Problem | null {
	if (!prompt) return null;
	const over = (text: string): LiquidError["fault"] | null => {
		try {
			renderLiquid(text, scope, { lenient: true });
		} catch (error) {
			if (!(error instanceof LiquidError)) throw error;
			if (error.fault.rule === "liquid-limit") return error.fault;
		}
		return null;
	};
	const when = prompt.when === null ? null : over(whenTemplate(prompt.when));
	if (when && whenRange) return source.problem({ rule: when.rule, ...faultMessage("`when`", when.message) }, whenRange);
	const body = over(prompt.body);
	if (!body) return null;
	const at = bodyOffset + (body.offset ?? 0);
	return source.problem({ rule: body.rule, ...faultMessage("Liquid", body.message) }, [at, at + body.length]);
}

/** Values of the constraints, as templates and hooks see them. */
export function constraintValues(constraints: Record<string, Constraint>): Record<string, number> {
	return Object.fromEntries(Object.entries(constraints).map(([name, constraint]) => [name, constraint.value]));
}
