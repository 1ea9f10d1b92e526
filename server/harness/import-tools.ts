import { stringify } from "yaml";
import { AppError } from "@/server/kernel/errors";
import { isDeeper, MAX_JSON_DEPTH } from "@/server/kernel/json";
import type { FileChanges, HarnessFiles, ImportNote, ImportReport, ToolBinding } from "./contract";
import { pathProblem } from "./file-paths";
import { ToolFileSchema } from "./file-schemas";
import type { ImportMode, ImportResult } from "./import-skills";
import { schemaProblems } from "./json-schema";
import { reasonOf } from "./problem-texts";
import { countNodes, MAX_NODES_TOGETHER } from "./schema-bounds";
import { isObjectField, LOAD_SKILL_TOOL, type SchemaAllowance } from "./tool-rules";
import { issuePhrase } from "./yaml-source";

const ToolObjectSchema = ToolFileSchema.shape.tool;
const MAX_CHARS = 4_000_000;
type Note = Omit<ImportNote, "at">;

const noteOf = ({ message, phrase }: { message: string; phrase: Note["phrase"] }): Note => ({ reason: message, phrase });

/** How imported tools are run: by a registered MCP connection, or by handlers of the workspace that have the tool's name. */
export type ImportBinding = { kind: "mcp"; connection: string } | { kind: "simulator" };

/**
 * Takes the tools of an MCP `tools/list` result (the result itself, the JSON-RPC response around it, or a bare list) as
 * changes of a harness. Strict rejects a tool that breaks a rule; lenient mends a name or a missing description and warns.
 * Throws `bad-input` when the text is no such result.
 */
export function importTools(json: string, existing: HarnessFiles, binding: ImportBinding, mode: ImportMode): ImportResult {
	const { tools, more } = readList(json);
	const allowance = { nodes: MAX_NODES_TOGETHER };
	const report: ImportReport = { imported: [], rejected: [], warnings: [] };
	const changes: FileChanges = {};
	const taken = new Set<string>();
	if (tools.length === 0) report.warnings.push({ at: "tools", ...reasonOf("import-list-empty") });
	if (more) report.warnings.push({ at: "nextCursor", ...reasonOf("import-list-goes-on") });
	for (const [index, entry] of tools.entries()) {
		const at = `tools[${index}]${nameOf(entry) ? ` ${nameOf(entry)}` : ""}`;
		const warnings: Note[] = [];
		if (isDeeper(entry)) {
			report.rejected.push({ at, ...reasonOf("import-tool-deep", { max: MAX_JSON_DEPTH }) });
			continue;
		}
		const candidate = mode === "lenient" ? mend(entry, warnings) : entry;
		const parsed = ToolObjectSchema.safeParse(candidate);
		const reasons = parsed.success
			? ruleProblems(parsed.data, taken, allowance)
			: parsed.error.issues.map((issue) => noteOf(issuePhrase(issue, issue.path.join(".") || "tool", false)));
		if (!parsed.success || reasons.length > 0) {
			report.rejected.push(...reasons.map((note) => ({ at, ...note })));
			continue;
		}
		const { name } = parsed.data;
		taken.add(name.toLowerCase());
		const path = `tools/${name}.yaml`;
		if (existing[path] !== undefined) warnings.push(reasonOf("import-tool-replaces"));
		for (const problem of schemaProblems(parsed.data.inputSchema)) warnings.push(noteOf(problem.at(["inputSchema", ...problem.path].join("."))));
		changes[path] = toolFile(candidate as Record<string, unknown>, bindingOf(binding, name));
		report.imported.push(name);
		report.warnings.push(...warnings.map((note) => ({ at, ...note })));
	}
	return { changes, report };
}

/** Why a text is no list of tools; a screen says it by its slug. */
const UNREADABLE = {
	"tools-list-large": "larger than 4 MB",
	"tools-list-no-json": "not JSON",
	"tools-list-no-list": "there is no list `tools`",
} as const;

function readList(json: string): { tools: unknown[]; more: boolean } {
	const refuse = (whyReason: keyof typeof UNREADABLE, cause?: unknown) =>
		new AppError("bad-input", `This is not a tools/list result: ${UNREADABLE[whyReason]}.`, {
			reason: "tools-list-unreadable",
			params: { why: UNREADABLE[whyReason], whyReason },
			fix: "Give the JSON that an MCP server answers to tools/list.",
			cause,
		});
	if (json.length > MAX_CHARS) throw refuse("tools-list-large");
	let value: unknown;
	try {
		value = JSON.parse(json.replace(/^\uFEFF/, ""));
	} catch (cause) {
		throw refuse("tools-list-no-json", cause);
	}
	if (Array.isArray(value)) return { tools: value, more: false };
	const object = value as { result?: unknown; tools?: unknown; nextCursor?: unknown } | null;
	const inner = (object?.result ?? object) as { tools?: unknown; nextCursor?: unknown } | null;
	if (!Array.isArray(inner?.tools)) throw refuse("tools-list-no-list");
	return { tools: inner.tools, more: typeof inner.nextCursor === "string" && inner.nextCursor !== "" };
}

function nameOf(entry: unknown): string {
	const name = (entry as { name?: unknown } | null)?.name;
	return typeof name === "string" ? name.slice(0, 128) : "";
}

function mend(entry: unknown, warnings: Note[]): unknown {
	if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return entry;
	const tool: Record<string, unknown> = { ...entry };
	if (typeof tool.name === "string" && !ToolObjectSchema.shape.name.safeParse(tool.name).success) {
		const name = tool.name.replace(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 128);
		warnings.push(reasonOf("import-tool-name", { name: tool.name.slice(0, 128), mended: name }));
		tool.name = name;
	}
	if (typeof tool.description !== "string" || tool.description.trim() === "") {
		tool.description = typeof tool.title === "string" && tool.title ? tool.title : String(tool.name);
		warnings.push(reasonOf("import-tool-description"));
	}
	if (tool.inputSchema === undefined) {
		tool.inputSchema = { type: "object", properties: {} };
		warnings.push(reasonOf("import-tool-schema"));
	}
	return tool;
}

function ruleProblems(
	tool: { name: string; inputSchema: Record<string, unknown>; outputSchema?: Record<string, unknown> | undefined },
	taken: ReadonlySet<string>,
	allowance: SchemaAllowance,
): Note[] {
	const reasons: Note[] = [];
	if (tool.name === LOAD_SKILL_TOOL) reasons.push(reasonOf("tool-name-reserved", { name: LOAD_SKILL_TOOL }));
	if (isObjectField(tool.name)) reasons.push(reasonOf("tool-name-object", { name: tool.name }));
	const why = pathProblem(`tools/${tool.name}.yaml`);
	if (why) reasons.push(why);
	if (taken.has(tool.name.toLowerCase())) reasons.push(reasonOf("import-tool-before"));
	if (tool.inputSchema.type !== "object") reasons.push(reasonOf("tool-input-object"));
	for (const key of ["inputSchema", "outputSchema"] as const) {
		const schema = tool[key];
		if (!schema) continue;
		allowance.nodes -= countNodes(schema).nodes;
		if (allowance.nodes < 0) reasons.push(reasonOf("json-schema-together", { at: key, max: MAX_NODES_TOGETHER }));
		else for (const problem of schemaProblems(schema)) if (problem.severity === "error") reasons.push(noteOf(problem.at([key, ...problem.path].join("."))));
	}
	return reasons;
}

function bindingOf(binding: ImportBinding, name: string): ToolBinding {
	return binding.kind === "mcp" ? { kind: "mcp", connection: binding.connection, tool: name } : { kind: "simulator", handler: name };
}

function toolFile(tool: Record<string, unknown>, binding: ToolBinding): string {
	return stringify({ tool, binding, timeoutMs: 5_000, retry: { attempts: 0 } }, { lineWidth: 0, aliasDuplicateObjects: false });
}
