import type { z } from "zod";
import { sha256 } from "@/server/kernel/hash";
import type { HarnessTool, Problem, ValidationContext } from "./contract";
import { ToolFileSchema } from "./file-schemas";
import { schemaProblems } from "./json-schema";
import { changeTo, messageOf, titleOf } from "./problem-texts";
import { countNodes, MAX_NODES_TOGETHER } from "./schema-bounds";
import { Source } from "./source";
import { checkSchema, parseYaml, type YamlSource } from "./yaml-source";

/** Added by the agent itself; no tool may take its name. */
export const LOAD_SKILL_TOOL = "load_skill";
/** Whether objects have a field of this name by themselves: keyed by it, a tool could be found where there is none, or lost. */
export const isObjectField = (name: string): boolean => name in {};
const OPENAI_NAME_LENGTH = 64;

export interface ToolReading {
	tool: HarnessTool | null;
	yaml: YamlSource;
	source: Source;
	problems: Problem[];
}

/** How much more the schemas of a harness may hold; each tool that is read takes its part. */
export interface SchemaAllowance {
	nodes: number;
}

/**
 * Reads tools/<stem>.yaml: an MCP tool object, its binding, time-out and retries. Without an allowance its schemas are not
 * looked at.
 */
export function readTool(
	path: string,
	stem: string,
	text: string,
	context: ValidationContext,
	deadlineMs: number | null,
	allowance: SchemaAllowance | null,
): ToolReading {
	const source = new Source(path, text);
	const yaml = parseYaml(source, text);
	const checked = checkSchema(ToolFileSchema, yaml, source, "tool-schema");
	const problems = [...yaml.problems, ...checked.problems];
	const file = checked.value;
	if (!file) return { tool: null, yaml, source, problems };
	problems.push(
		...nameProblems(file, stem, yaml, source),
		...(allowance ? schemasOf(file, yaml, source, allowance) : []),
		...bindingProblems(file, context, yaml, source),
		...argumentProblems(file, yaml, source),
	);
	const worstMs = file.timeoutMs * (1 + file.retry.attempts);
	if (deadlineMs !== null && worstMs >= deadlineMs)
		problems.push(
			source.problem(
				{
					rule: "budget",
					severity: "warning",
					...messageOf("budget-tool", { timeout: file.timeoutMs, tries: 1 + file.retry.attempts, deadline: deadlineMs }),
				},
				yaml.rangeOf(["timeoutMs"]),
			),
		);
	const { name, title, description, inputSchema, outputSchema, annotations } = file.tool;
	return {
		tool: {
			tool: {
				name,
				...(title ? { title } : {}),
				description: description.trim(),
				inputSchema,
				...(outputSchema ? { outputSchema } : {}),
				...(annotations ? { annotations } : {}),
			},
			binding: file.binding,
			argumentNames: file.arguments,
			timeoutMs: file.timeoutMs,
			retryAttempts: file.retry.attempts,
			path,
		},
		yaml,
		source,
		problems,
	};
}

type ToolFile = z.infer<typeof ToolFileSchema>;

function nameProblems(file: ToolFile, stem: string, yaml: YamlSource, source: Source): Problem[] {
	const at = yaml.rangeOf(["tool", "name"]);
	if (isObjectField(file.tool.name)) return [source.problem({ rule: "tool-name-reserved", ...messageOf("tool-name-object", { name: file.tool.name }) }, at)];
	if (file.tool.name === LOAD_SKILL_TOOL)
		return [source.problem({ rule: "tool-name-reserved", ...messageOf("tool-name-reserved", { name: LOAD_SKILL_TOOL }) }, at)];
	if (file.tool.name !== stem)
		return [
			source.problem(
				{
					rule: "tool-name-file",
					severity: "warning",
					...messageOf("tool-name-file", { file: stem, name: file.tool.name }),
					fix: { ...titleOf("fix-name", { to: stem }), text: stem },
				},
				at,
			),
		];
	return [];
}

function schemasOf(file: ToolFile, yaml: YamlSource, source: Source, allowance: SchemaAllowance): Problem[] {
	const problems: Problem[] = [];
	for (const key of ["inputSchema", "outputSchema"] as const) {
		const schema = file.tool[key];
		if (!schema) continue;
		allowance.nodes -= countNodes(schema).nodes;
		if (allowance.nodes < 0) {
			const together = messageOf("json-schema-together", { at: key, max: MAX_NODES_TOGETHER });
			problems.push(source.problem({ rule: "json-schema-heavy", ...together }, yaml.rangeOf(["tool", key], true)));
			continue;
		}
		for (const problem of schemaProblems(schema))
			problems.push(
				source.problem(
					{
						rule: problem.rule ?? (problem.severity === "warning" ? "json-schema-keyword" : "json-schema"),
						...problem.at([key, ...problem.path].join(".")),
						severity: problem.severity,
					},
					yaml.rangeOf(["tool", key, ...problem.path]),
				),
			);
		if (key === "inputSchema" && schema.type !== "object")
			problems.push(source.problem({ rule: "tool-input-object", ...messageOf("tool-input-object") }, yaml.rangeOf(["tool", "inputSchema"], true)));
	}
	return problems;
}

function bindingProblems(file: ToolFile, context: ValidationContext, yaml: YamlSource, source: Source): Problem[] {
	const { binding } = file;
	if (binding.kind === "simulator") {
		if (context.handlers === null || context.handlers.includes(binding.handler)) return [];
		const near = nearest(binding.handler, context.handlers);
		const known = context.handlers.slice(0, 20).join(", ");
		return [
			source.problem(
				{
					rule: "binding-handler",
					...(known ? messageOf("binding-handler-known", { name: binding.handler, known }) : messageOf("binding-handler", { name: binding.handler })),
					...changeTo(near),
				},
				yaml.rangeOf(["binding", "handler"]),
			),
		];
	}
	if (context.connections === null || context.connections.includes(binding.connection)) return [];
	return [
		source.problem({ rule: "binding-connection", ...messageOf("binding-connection", { name: binding.connection }) }, yaml.rangeOf(["binding", "connection"])),
	];
}

/** `arguments` names arguments that the tool takes, and no two of its arguments reach the binding under one name. */
function argumentProblems(file: ToolFile, yaml: YamlSource, source: Source): Problem[] {
	const { properties } = file.tool.inputSchema;
	const taken = Object.keys(properties && typeof properties === "object" ? properties : {});
	const meant = taken.filter((name) => file.arguments[name] === undefined);
	const problems: Problem[] = [];
	for (const [name, own] of Object.entries(file.arguments)) {
		const at = yaml.rangeOf(["arguments", name], true);
		if (!taken.includes(name)) problems.push(source.problem({ rule: "tool-arguments", ...messageOf("tool-arguments-unknown", { name }) }, at));
		else if (meant.includes(own)) problems.push(source.problem({ rule: "tool-arguments", ...messageOf("tool-arguments-twice", { name: own }) }, at));
		meant.push(own);
	}
	return problems;
}

/** Two tools that a policy could not tell apart: equal names, or equal after the mapping to OpenAI's rules. */
export function duplicateNames(readings: readonly ToolReading[]): Problem[] {
	const byName = new Map<string, HarnessTool>();
	const byWire = new Map<string, HarnessTool>();
	const problems: Problem[] = [];
	for (const { tool, yaml, source } of readings) {
		if (!tool) continue;
		const { name } = tool.tool;
		const same = byName.get(name);
		const wire = byWire.get(safeName(name));
		if (same)
			problems.push(source.problem({ rule: "tool-name-duplicate", ...messageOf("tool-name-duplicate", { other: same.path }) }, yaml.rangeOf(["tool", "name"])));
		else if (wire)
			problems.push(
				source.problem(
					{
						rule: "tool-name-collides",
						severity: "warning",
						...messageOf("tool-name-collides", { other: wire.tool.name, file: wire.path, name: safeName(name) }),
					},
					yaml.rangeOf(["tool", "name"]),
				),
			);
		byName.set(name, tool);
		byWire.set(safeName(name), tool);
	}
	return problems;
}

const safeName = (name: string) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, OPENAI_NAME_LENGTH);

/**
 * Names as OpenAI-compatible endpoints allow them (letters, digits, `_`, `-`, at most 64), and the way back. Names that
 * would meet get a suffix of their hash, so that the mapping can always be undone.
 */
export function openAiToolNames(names: readonly string[]): { toWire: Map<string, string>; fromWire: Map<string, string> } {
	const toWire = new Map<string, string>();
	const fromWire = new Map<string, string>();
	const sorted = [...new Set(names)].sort((a, b) => (a < b ? -1 : 1));
	// Names that need no change keep theirs, whatever the order.
	for (const exact of [true, false]) {
		for (const name of sorted) {
			const safe = safeName(name);
			if ((safe === name) !== exact) continue;
			const wire = fromWire.has(safe) ? `${safe.slice(0, OPENAI_NAME_LENGTH - 9)}_${sha256(name).slice(0, 8)}` : safe;
			toWire.set(name, wire);
			fromWire.set(wire, name);
		}
	}
	return { toWire, fromWire };
}

/** The candidate with the smallest edit distance, if it is near enough to be a typing error. */
export function nearest(word: string, candidates: readonly string[]): string | null {
	let best: string | null = null;
	let bestDistance = Math.max(2, Math.ceil(word.length * 0.4)) + 1;
	for (const candidate of candidates) {
		const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
		if (distance < bestDistance) {
			best = candidate;
			bestDistance = distance;
		}
	}
	return best;
}

function editDistance(a: string, b: string): number {
	let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++)
			row[j] = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1));
		previous = row;
	}
	return previous[b.length] as number;
}
