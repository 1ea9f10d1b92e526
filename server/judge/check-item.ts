import { RE2JS } from "re2js";
import { isHeavyPattern, schemaChecker } from "@/server/harness";
import { countGraphemes } from "@/server/kernel/text";
import { chrf } from "./chrf";
import type { Evidence, JudgeCase, JudgedHarness, RubricItem } from "./contract";
import { ruleOf } from "./evidence-texts";
import { findClaim } from "./find-claims";
import { says, sentenceSaying, sentencesOf } from "./match-text";
import { parseNumbers } from "./parse-numbers";
import { describeFact, readFact, statesFact } from "./state-facts";

export interface ItemContext {
	reply: string;
	case: JudgeCase;
	harness: JudgedHarness;
	loaded: readonly string[];
	handlers: readonly string[];
}

/** What checking one item found; null where it cannot be checked by this engine. */
export interface Finding extends Pick<Evidence, "rule" | "phrase"> {
	ok: boolean;
	sentence?: string;
	fact?: string;
}

const patterns = new Map<string, RE2JS | null>();

/** A pattern on a linear-time engine; null when it does not compile, or not within bounds. */
function compilePattern(pattern: string): RE2JS | null {
	const known = patterns.get(pattern);
	if (known !== undefined) return known;
	let compiled: RE2JS | null;
	try {
		compiled = isHeavyPattern(pattern) ? null : RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
	} catch {
		compiled = null;
	}
	if (patterns.size > 2000) patterns.clear();
	patterns.set(pattern, compiled);
	return compiled;
}

function checkFact(item: Extract<RubricItem, { kind: "fact" }>, { reply, case: judged }: ItemContext): Finding {
	const value = readFact(judged.world, item.path);
	const ok = statesFact(reply, value, item.accept);
	const sentence = sentencesOf(reply).find((part) => statesFact(part, value, item.accept));
	return { ok, ...ruleOf("fact", { path: item.path }), fact: describeFact(item.path, value), ...(sentence !== undefined && { sentence }) };
}

function checkRegex(item: Extract<RubricItem, { kind: "regex" }>, { reply }: ItemContext): Finding {
	const compiled = compilePattern(item.pattern);
	if (!compiled) return { ok: false, ...ruleOf("regex-broken") };
	const found = [reply, reply.normalize("NFKC")].some((text) => compiled.matcher(text).find());
	return { ok: item.negate ? !found : found, ...ruleOf(item.negate ? "regex-forbidden" : "regex-required") };
}

function checkSchema(item: Extract<RubricItem, { kind: "json-schema" }>, { reply }: ItemContext): Finding {
	let value: unknown;
	try {
		value = JSON.parse(reply);
	} catch {
		return { ok: false, ...ruleOf("json") };
	}
	try {
		return { ok: schemaChecker(item.schema, { formats: false })(value).ok, ...ruleOf("json-schema") };
	} catch {
		return { ok: false, ...ruleOf("json-schema-broken") };
	}
}

/** Checks one point of a rubric against an episode; null for `llm-rubric`, which only a language model can check. */
export function checkItem(item: RubricItem, context: ItemContext): Finding | null {
	const { reply, harness, loaded, handlers } = context;
	if (item.kind === "fact") return checkFact(item, context);
	if (item.kind === "regex") return checkRegex(item, context);
	if (item.kind === "json-schema") return checkSchema(item, context);
	if (item.kind === "contains") {
		const words = item.any.find((any) => says(reply, any));
		const sentence = words === undefined ? undefined : sentenceSaying(reply, words);
		// The accepted wordings stay with the judge: evidence travels to the engines that edit the harness.
		return { ok: words !== undefined, ...ruleOf("contains"), ...(sentence !== undefined && { sentence }) };
	}
	if (item.kind === "not-contains") {
		const claim = findClaim(reply, item.any);
		return claim
			? { ok: false, ...ruleOf("forbidden-claim", { words: claim.words }), sentence: claim.sentence }
			: { ok: true, ...ruleOf("no-forbidden-claim") };
	}
	if (item.kind === "reference") {
		const score = context.case.reference === null ? 1 : chrf(reply, context.case.reference);
		return { ok: score >= item.min, ...ruleOf("reference", { min: item.min, score: score.toFixed(2) }) };
	}
	if (item.kind === "skill") {
		const ok = loaded.some(
			(name) => item.any.includes(name) || harness.skills.some((skill) => skill.name === name && skill.tags.some((tag) => item.any.includes(tag))),
		);
		return { ok, ...ruleOf("skill", { skills: item.any.join(", ") }) };
	}
	if (item.kind === "tool") {
		const ok = item.none ? handlers.length === 0 : item.all.every((handler) => handlers.includes(handler));
		return { ok, ...(item.none ? ruleOf("no-tool") : ruleOf("tools", { tools: item.all.join(", ") })) };
	}
	if (item.kind === "max-chars") {
		const length = countGraphemes(reply);
		return { ok: length <= item.value, ...ruleOf("max-chars", { max: item.value, length }) };
	}
	return null;
}

/** Evidence of one item. */
export function toEvidence(index: number, item: RubricItem, finding: Finding | null): Evidence {
	if (!finding) return { item: index, kind: item.kind, dimension: "behaviour", ok: true, ...ruleOf("not-checked") };
	return { item: index, kind: item.kind, dimension: item.dimension, ...finding };
}

/** What is wrong with one item of a rubric. Its text quotes nothing of the case, whose words may be sealed. */
export interface RubricProblem {
	/** Place in the rubric, from 0. */
	item: number;
	/** `error`: no reply can meet it, or it can never be checked. `warning`: it is checked, perhaps not as its writer meant. */
	severity: "error" | "warning";
	/** A slug for a screen; `text` says it in English. */
	code: "pattern" | "schema" | "path" | "fact-value" | "fact-object";
	text: string;
}

function compiles(schema: Record<string, unknown>): boolean {
	try {
		schemaChecker(schema, { formats: false });
		return true;
	} catch {
		return false;
	}
}

function findFactProblem(value: unknown, isAccepting: boolean): Omit<RubricProblem, "item"> | null {
	if (value === undefined) return { severity: "error", code: "path", text: "the world has nothing at this path" };
	if (isAccepting || Array.isArray(value)) return null;
	if (value === null || typeof value === "boolean")
		return { severity: "warning", code: "fact-value", text: `the fact is ${value}: say in \`accept\` how a reply may state it` };
	return typeof value === "object"
		? { severity: "warning", code: "fact-object", text: "the fact is an object: say in `accept` how a reply may state it" }
		: null;
}

/** Problems of a rubric that would make a point unfair: patterns and schemas that do not compile, facts that the world lacks. */
export function findRubricProblems(rubric: readonly RubricItem[], world: Record<string, unknown>): RubricProblem[] {
	return rubric.flatMap((item, index): RubricProblem[] => {
		if (item.kind === "regex" && !compilePattern(item.pattern))
			return [{ item: index, severity: "error", code: "pattern", text: "the pattern does not compile" }];
		if (item.kind === "json-schema" && !compiles(item.schema))
			return [{ item: index, severity: "error", code: "schema", text: "the JSON Schema is not valid" }];
		const problem = item.kind === "fact" ? findFactProblem(readFact(world, item.path), item.accept !== undefined) : null;
		return problem ? [{ item: index, ...problem }] : [];
	});
}

/** Whether a text holds anything that could inform: a letter-run of some length or a number. */
export function hasContent(reply: string): boolean {
	const letters = reply.match(/[\p{L}]/gu)?.length ?? 0;
	return letters >= 2 || parseNumbers(reply).length > 0;
}
