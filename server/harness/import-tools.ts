import { stringify } from "yaml";
import { AppError } from "@/server/kernel/errors";
import type { FileChanges, HarnessFiles, ImportReport, ToolBinding } from "./contract";
import { pathProblem } from "./file-paths";
import { ToolFileSchema } from "./file-schemas";
import type { ImportMode, ImportResult } from "./import-skills";
import { schemaProblems } from "./json-schema";
import { LOAD_SKILL_TOOL } from "./tool-rules";

const ToolObjectSchema = ToolFileSchema.shape.tool;
const MAX_CHARS = 4_000_000;

/** How imported tools are run: by a registered MCP connection, or by handlers of the workspace that have the tool's name. */
export type ImportBinding = { kind: "mcp"; connection: string } | { kind: "simulator" };

/**
 * Takes the tools of an MCP `tools/list` result (the result itself, the JSON-RPC response around it, or a bare list) as
 * changes of a harness. Strict rejects a tool that breaks a rule; lenient mends a name or a missing description and warns.
 * Throws `bad-input` when the text is no such result.
 */
export function importTools(json: string, existing: HarnessFiles, binding: ImportBinding, mode: ImportMode): ImportResult {
	const { tools, more } = readList(json);
	const report: ImportReport = { imported: [], rejected: [], warnings: [] };
	const changes: FileChanges = {};
	const taken = new Set<string>();
	if (more) report.warnings.push({ at: "nextCursor", reason: "The list says that it goes on: only this page was imported." });
	for (const [index, entry] of tools.entries()) {
		const at = `tools[${index}]${nameOf(entry) ? ` ${nameOf(entry)}` : ""}`;
		const warnings: string[] = [];
		const candidate = mode === "lenient" ? mend(entry, warnings) : entry;
		const parsed = ToolObjectSchema.safeParse(candidate);
		const reasons = parsed.success
			? ruleProblems(parsed.data, taken)
			: parsed.error.issues.map((issue) => `${issue.path.join(".") || "tool"}: ${issue.message}`);
		if (!parsed.success || reasons.length > 0) {
			report.rejected.push(...reasons.map((reason) => ({ at, reason })));
			continue;
		}
		const { name } = parsed.data;
		taken.add(name.toLowerCase());
		const path = `tools/${name}.yaml`;
		if (existing[path] !== undefined) warnings.push("Replaces the tool of this name that is there.");
		for (const problem of schemaProblems(parsed.data.inputSchema)) warnings.push(problem.message);
		changes[path] = toolFile(candidate as Record<string, unknown>, bindingOf(binding, name));
		report.imported.push(name);
		report.warnings.push(...warnings.map((reason) => ({ at, reason })));
	}
	return { changes, report };
}

function readList(json: string): { tools: unknown[]; more: boolean } {
	const refuse = (why: string, cause?: unknown) =>
		new AppError("bad-input", `This is not a tools/list result: ${why}.`, {
			reason: "tools-list-unreadable",
			params: { why },
			fix: "Give the JSON that an MCP server answers to tools/list.",
			cause,
		});
	if (json.length > MAX_CHARS) throw refuse("larger than 4 MB");
	let value: unknown;
	try {
		value = JSON.parse(json.replace(/^\uFEFF/, ""));
	} catch (cause) {
		throw refuse("not JSON", cause);
	}
	if (Array.isArray(value)) return { tools: value, more: false };
	const object = value as { result?: unknown; tools?: unknown; nextCursor?: unknown } | null;
	const inner = (object?.result ?? object) as { tools?: unknown; nextCursor?: unknown } | null;
	if (!Array.isArray(inner?.tools)) throw refuse("there is no list `tools`");
	return { tools: inner.tools, more: typeof inner.nextCursor === "string" && inner.nextCursor !== "" };
}

function nameOf(entry: unknown): string {
	const name = (entry as { name?: unknown } | null)?.name;
	return typeof name === "string" ? name.slice(0, 128) : "";
}

function mend(entry: unknown, warnings: string[]): unknown {
	if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return entry;
	const tool: Record<string, unknown> = { ...entry };
	if (typeof tool.name === "string" && !ToolObjectSchema.shape.name.safeParse(tool.name).success) {
		const name = tool.name.replace(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 128);
		warnings.push(`The name “${tool.name.slice(0, 128)}” is not one that MCP allows; the tool is called “${name}”.`);
		tool.name = name;
	}
	if (typeof tool.description !== "string" || tool.description.trim() === "") {
		tool.description = typeof tool.title === "string" && tool.title ? tool.title : String(tool.name);
		warnings.push("The tool has no description; its title stands in for it. Say when to call it.");
	}
	if (tool.inputSchema === undefined) {
		tool.inputSchema = { type: "object", properties: {} };
		warnings.push("The tool has no inputSchema; it is taken to have no arguments.");
	}
	return tool;
}

function ruleProblems(
	tool: { name: string; inputSchema: Record<string, unknown>; outputSchema?: Record<string, unknown> | undefined },
	taken: ReadonlySet<string>,
): string[] {
	const reasons: string[] = [];
	if (tool.name === LOAD_SKILL_TOOL) reasons.push(`\`${LOAD_SKILL_TOOL}\` is the studio's own tool.`);
	const why = pathProblem(`tools/${tool.name}.yaml`);
	if (why) reasons.push(`The name cannot be a file: ${why}.`);
	if (taken.has(tool.name.toLowerCase())) reasons.push("A tool of this name came before.");
	if (tool.inputSchema.type !== "object") reasons.push("inputSchema has no `type: object`.");
	for (const key of ["inputSchema", "outputSchema"] as const) {
		const schema = tool[key];
		for (const problem of schema ? schemaProblems(schema) : [])
			if (problem.severity === "error") reasons.push(`${[key, ...problem.path].join(".")}: ${problem.message}`);
	}
	return reasons;
}

function bindingOf(binding: ImportBinding, name: string): ToolBinding {
	return binding.kind === "mcp" ? { kind: "mcp", connection: binding.connection, tool: name } : { kind: "simulator", handler: name };
}

function toolFile(tool: Record<string, unknown>, binding: ToolBinding): string {
	return stringify({ tool, binding, timeoutMs: 5_000, retry: { attempts: 0 } }, { lineWidth: 0, aliasDuplicateObjects: false });
}
