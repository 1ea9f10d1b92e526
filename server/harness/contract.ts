import * as z from "zod";
import { PhraseSchema } from "@/server/kernel/phrase.contract";

/** Files of a harness by path (POSIX, relative). Text only: binary assets are refused at import with a reason. */
export const HarnessFilesSchema = z.record(z.string(), z.string());
export type HarnessFiles = z.infer<typeof HarnessFilesSchema>;

/** The agent's situation: all that a template, a hook or a tool may name. Workspaces add what they need. */
export const RoomSchema = z.looseObject({
	title: z.string().default(""),
	/** ISO 8601 with offset: the only clock that hooks and tools have. */
	now: z.iso.datetime({ offset: true }),
	viewer: z.record(z.string(), z.unknown()).default({}),
	notes: z.record(z.string(), z.unknown()).default({}),
});
export type Room = z.infer<typeof RoomSchema>;

export const ComponentKindSchema = z.enum(["skill", "tool", "prompt", "hook", "manifest"]);
export type ComponentKind = z.infer<typeof ComponentKindSchema>;

/** `skill:price`, `tool:look_up`, `prompt:style`, `hook:40-reply-length`, `manifest:harness`. */
export type ComponentId = `${ComponentKind}:${string}`;

export const SeveritySchema = z.enum(["error", "warning"]);

export const ProblemSchema = z.object({
	file: z.string(),
	line: z.number().int().min(1),
	column: z.number().int().min(1),
	endLine: z.number().int().min(1).optional(),
	endColumn: z.number().int().min(1).optional(),
	rule: z.string(),
	message: z.string(),
	/** The message for a screen in another language. */
	phrase: PhraseSchema.optional(),
	severity: SeveritySchema,
	/** A replacement for the range that mends it. */
	fix: z.object({ title: z.string(), phrase: PhraseSchema.optional(), text: z.string() }).optional(),
});
export type Problem = z.infer<typeof ProblemSchema>;

export interface Constraint {
	value: number;
	min: number;
	max: number;
	unit?: string;
}

export type PipelineItem = { kind: "prompt"; id: string } | { kind: "skill-index" } | { kind: "tool-notes" };

export interface PromptBlock {
	id: string;
	title: string;
	/** Liquid condition; the block is left out where it is false. */
	when: string | null;
	body: string;
	path: string;
}

export interface Skill {
	name: string;
	description: string;
	type: "reply" | "strategy";
	tags: string[];
	body: string;
	path: string;
}

/** The MCP tool object (names after the file; see McpToolSchema). */
export interface McpTool {
	name: string;
	title?: string;
	description: string;
	inputSchema: Record<string, unknown>;
	outputSchema?: Record<string, unknown>;
	annotations?: Record<string, unknown>;
}

export type ToolBinding =
	| { kind: "simulator"; handler: string }
	| { kind: "http"; connection: string; tool: string; method?: "GET" | "POST"; path?: string }
	| { kind: "mcp"; connection: string; tool: string };

export interface HarnessTool {
	tool: McpTool;
	binding: ToolBinding;
	/** Arguments whose names differ from the binding's own: the tool's name → the binding's. */
	argumentNames: Record<string, string>;
	timeoutMs: number;
	retryAttempts: number;
	path: string;
}

export const HookEventSchema = z.enum(["input", "skill", "tool-call", "tool-result", "reply"]);
export type HookEvent = z.infer<typeof HookEventSchema>;

export interface HarnessHook {
	/** File name without extension; hooks of one event run in this order. */
	id: string;
	event: HookEvent;
	failure: "open" | "closed";
	source: string;
	path: string;
}

/** A harness that validated: h = (S, T, P, K) and its manifest. */
export interface Harness {
	kind: "agent" | "judge";
	name: string;
	treeId: string;
	limits: { maxSteps: number; maxHookRetries: number; deadlineMs: number; targetP50Ms: number };
	constraints: Record<string, Constraint>;
	pipeline: PipelineItem[];
	requireReplySkill: boolean;
	prompts: PromptBlock[];
	skills: Skill[];
	tools: HarnessTool[];
	hooks: HarnessHook[];
	files: HarnessFiles;
}

/** What a policy sees of a harness in a room, as text and as the same content in structure. */
export interface RenderedHarness {
	treeId: string;
	systemPrompt: string;
	/** In order; `id` is a prompt id, `skill-index` or `tool-notes`. */
	blocks: { id: string; title: string; text: string }[];
	constraints: Record<string, number>;
	skillIndex: { name: string; description: string; type: "reply" | "strategy" }[];
	/** `load_skill` is not among them; the agent adds it. */
	tools: McpTool[];
}

/** What the validator must be told of the world outside the files. */
export interface ValidationContext {
	/** Handler ids of the workspace; null means "do not check" (a folder on its own). */
	handlers: readonly string[] | null;
	/** Names of the registered connections; null means "do not check". */
	connections: readonly string[] | null;
	/** Sample rooms: the variables that a template may name are those of at least one of them. Empty: not checked. */
	rooms: readonly Room[];
}

const ImportNoteSchema = z.object({ at: z.string(), line: z.number().int().optional(), reason: z.string(), phrase: PhraseSchema.optional() });
export type ImportNote = z.infer<typeof ImportNoteSchema>;

export const ImportReportSchema = z.object({
	imported: z.array(z.string()),
	rejected: z.array(ImportNoteSchema),
	warnings: z.array(ImportNoteSchema),
});
export type ImportReport = z.infer<typeof ImportReportSchema>;

// ---- the repository ----

export const CommitInfoSchema = z.object({
	commit: z.string(),
	tree: z.string(),
	parents: z.array(z.string()),
	author: z.object({ name: z.string(), email: z.string() }),
	at: z.date(),
	subject: z.string(),
	body: z.string(),
	/** Trailers that the studio wrote; text that a person typed can never appear here. */
	trailers: z.record(z.string(), z.array(z.string())),
});
export type CommitInfo = z.infer<typeof CommitInfoSchema>;

export interface CommitAuthor {
	name: string;
	email: string;
}

export const FileDiffSchema = z.object({
	path: z.string(),
	status: z.enum(["added", "modified", "deleted"]),
	before: z.string().nullable(),
	after: z.string().nullable(),
	added: z.number().int(),
	removed: z.number().int(),
});
export type FileDiff = z.infer<typeof FileDiffSchema>;

export const MergeConflictSchema = z.object({ path: z.string(), base: z.string().nullable(), ours: z.string().nullable(), theirs: z.string().nullable() });
export type MergeConflict = z.infer<typeof MergeConflictSchema>;

/** A change of files on top of a commit: text writes, null deletes. */
export type FileChanges = Record<string, string | null>;

// ---- drafts and what the screen shows ----

export const HarnessKindSchema = z.enum(["agent", "judge"]);
export type HarnessKind = z.infer<typeof HarnessKindSchema>;

/** Changes of files as they travel: text writes, null deletes. */
export const FileChangesSchema = z.record(z.string().min(1).max(240), z.string().max(300_000).nullable());

/** Whose draft, on which branch of which harness. */
export interface WorkbenchKey {
	workspaceId: string;
	userId: string;
	kind: HarnessKind;
	branch: string;
}

export const DraftSchema = z.object({
	id: z.string(),
	kind: HarnessKindSchema,
	branch: z.string(),
	/** The commit that the changes stand on. */
	baseCommit: z.string(),
	changes: FileChangesSchema,
	/** Goes up with every save; a save names the version that it saw. */
	version: z.number().int(),
	proposalId: z.string().nullable(),
	updatedAt: z.date(),
});
export type Draft = z.infer<typeof DraftSchema>;

export interface ComponentView {
	id: ComponentId;
	kind: ComponentKind;
	name: string;
	/** The file it is edited in. */
	path: string;
	/** Git's id of its file, or of a skill's folder: equal ids are equal components. Null when it has no files. */
	fingerprint: string | null;
	/** All its files, those that a draft deletes too. */
	files: { path: string; status: FileStatus }[];
	/** Of a skill: reply or strategy, as its text says. */
	skillType: "reply" | "strategy" | null;
	status: FileStatus;
	errors: number;
	warnings: number;
}
export type FileStatus = "same" | "added" | "modified" | "deleted";

/** A person's view of a harness: the branch, their draft on it, and what is wrong with it. */
export interface WorkbenchView {
	kind: HarnessKind;
	branch: string;
	head: string;
	/** Files at the commit that the draft stands on (the head without a draft). */
	baseCommit: string;
	baseFiles: HarnessFiles;
	draft: Draft | null;
	/** The branch has moved since the draft began. */
	baseMoved: boolean;
	/** Tree id of the draft's files. */
	treeId: string;
	components: ComponentView[];
	/** Files of no component. */
	otherFiles: { path: string; status: FileStatus }[];
	problems: Problem[];
	assist: EditorAssist;
}

export interface LineChange {
	kind: "same" | "added" | "removed";
	text: string;
}

export interface PreviewBlock {
	id: string;
	title: string;
	text: string;
	/** Its lines against the same block on the branch that is compared with. */
	lines: LineChange[];
	status: FileStatus;
	/** Estimated, without any model's vocabulary. */
	tokens: number;
	tokensBefore: number;
}

export interface PreviewView {
	room: string;
	treeId: string;
	blocks: PreviewBlock[];
	systemPrompt: string;
	tokens: number;
	/** Null where the branch cannot be rendered in this room. */
	tokensBefore: number | null;
}

export type RebaseResult = { ok: true; draft: Draft | null } | { ok: false; conflicts: MergeConflict[]; head: string };

export interface BlameLine {
	line: number;
	text: string;
	commit: string;
	author: string;
	at: Date;
	subject: string;
}

/** What completion and hover know while a harness is edited, valid or not. */
export interface EditorAssist {
	constraints: Record<string, Constraint>;
	/** `room.viewer.name` with a value that it has in one of the rooms. */
	roomPaths: { path: string; sample: string }[];
	/** What tools return. */
	fields: { name: string; description: string; tools: string[] }[];
	tools: { name: string; title: string; description: string }[];
	prompts: string[];
	handlers: string[];
	connections: string[];
}
