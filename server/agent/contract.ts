import * as z from "zod";
import type { McpTool } from "@/server/harness/contract";

export const UsageSchema = z.object({ prompt: z.number(), completion: z.number(), reasoning: z.number() });
export type Usage = z.infer<typeof UsageSchema>;

export const ToolCallSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** Parsed arguments, or the raw text when it was not JSON. */
	arguments: z.unknown(),
	/** Why the call cannot be made as it stands (unknown tool, bad JSON). */
	invalid: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCallSchema>;

export type AgentMessage =
	| { role: "user"; content: string }
	| { role: "assistant"; content: string; toolCalls: ToolCall[]; reasoning?: string }
	| { role: "tool"; toolCallId: string; name: string; content: string; isError: boolean }
	/** A hook's message to the model. */
	| { role: "hook"; content: string };

/** The same content as the system prompt and messages, as structure, for policies that read structure; never more than the text discloses. */
export interface PolicyView {
	constraints: Record<string, number>;
	promptBlocks: { id: string; title: string; text: string }[];
	skillIndex: { name: string; description: string; type: "reply" | "strategy" }[];
	loadedSkills: { name: string; body: string }[];
	tools: McpTool[];
	requireReplySkill: boolean;
}

export interface PolicyRequest {
	systemPrompt: string;
	tools: McpTool[];
	messages: AgentMessage[];
	view: PolicyView;
	seed: number;
	deadlineMs: number;
	/** Told when the policy begins and ends to wait for the limits of its endpoint: time that the deadline does not count. */
	onWait?: (waiting: boolean) => void;
}

export interface PolicyStep {
	content: string | null;
	toolCalls: ToolCall[];
	reasoning: string | null;
	usage: Usage;
	latencyMs: number;
	finishReason: "stop" | "tool-calls" | "length" | "content-filter" | "other";
	cached: boolean;
	requestHash: string;
	/** log π of each decision of the step, for policies that define it. */
	decisions?: { kind: string; chosen: string; logProbability: number; candidates: number }[];
}

export interface PolicyDescription {
	kind: "compact" | "endpoint" | "checkpoint";
	name: string;
	/** Changes when anything that can change its answers changes; the key of the response cache. */
	fingerprint: string;
	deterministic: boolean;
	/** Requests that its endpoint takes at once; absent where there is none. */
	concurrency?: number;
}

/** The model that acts: π(a | x, h). Throws AppError `upstream`, `rate-limited`, `timeout` or `unavailable` for infrastructure faults. */
export interface Policy {
	describe(): PolicyDescription;
	act(request: PolicyRequest, signal: AbortSignal): Promise<PolicyStep>;
}

export const FaultKindSchema = z.enum(["timeout", "malformed", "permission-denied", "empty", "stale"]);
export const FaultSchema = z.object({ handler: z.string(), kind: FaultKindSchema, times: z.number().int().min(1).max(10).default(1) });
export type Fault = z.infer<typeof FaultSchema>;

export const TurnSchema = z.object({ role: z.enum(["viewer", "agent"]), text: z.string() });
export type Turn = z.infer<typeof TurnSchema>;

const timed = { atMs: z.number(), durationMs: z.number() };

export const HookOutcomeSchema = z.object({
	outcome: z.enum(["pass", "replace", "retry", "block", "hook-error"]),
	message: z.string().optional(),
	/** hook-error: timeout, memory, throw … */
	errorKind: z.string().optional(),
	/** replace: what the hook put in place. */
	value: z.unknown().optional(),
});

/** One recorded step; `atMs` is since the start of the episode. */
export const StepSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("message"), ...timed, text: z.string() }),
	z.object({
		type: z.literal("hook"),
		...timed,
		hook: z.string(),
		event: z.string(),
		target: z.string().optional(),
		callId: z.string().optional(),
		...HookOutcomeSchema.shape,
	}),
	z.object({
		type: z.literal("model"),
		...timed,
		purpose: z.enum(["tool", "reply"]),
		requestHash: z.string(),
		cached: z.boolean(),
		usage: UsageSchema,
		content: z.string().nullable(),
		reasoning: z.string().nullable(),
		toolCalls: z.array(ToolCallSchema),
		finishReason: z.string(),
		decisions: z.array(z.object({ kind: z.string(), chosen: z.string(), logProbability: z.number(), candidates: z.number() })).optional(),
	}),
	z.object({ type: z.literal("skill"), ...timed, callId: z.string().optional(), name: z.string(), ok: z.boolean(), error: z.string().optional() }),
	z.object({
		type: z.literal("tool"),
		...timed,
		/** The policy's call that it answers. */
		callId: z.string().optional(),
		name: z.string(),
		/** The functional identity, unchanged by renaming. */
		handler: z.string(),
		arguments: z.unknown(),
		attempt: z.number(),
		ok: z.boolean(),
		result: z.unknown().optional(),
		error: z.string().optional(),
		fault: FaultKindSchema.optional(),
	}),
	z.object({ type: z.literal("retry"), ...timed, reason: z.string(), attempt: z.number() }),
	z.object({ type: z.literal("reply"), ...timed, text: z.string() }),
	z.object({
		type: z.literal("error"),
		...timed,
		code: z.string(),
		message: z.string(),
		/** Slug and values that a screen translates (`errors.<reason>`); absent where the message is all there is. */
		reason: z.string().optional(),
		params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
	}),
]);
export type Step = z.infer<typeof StepSchema>;

export const OutcomeSchema = z.enum(["replied", "blocked", "deadline", "infra-error"]);
export type Outcome = z.infer<typeof OutcomeSchema>;

export const TrajectorySchema = z.object({
	version: z.literal(1),
	treeId: z.string(),
	policy: z.string(),
	seed: z.number(),
	message: z.string(),
	history: z.array(TurnSchema),
	steps: z.array(StepSchema),
	outcome: OutcomeSchema,
	/** The final reply, or a hook's fallback when blocked; null on deadline and infra-error. */
	reply: z.string().nullable(),
	error: z.string().optional(),
	durationMs: z.number(),
});
export type Trajectory = z.infer<typeof TrajectorySchema>;

/** Executes one tool call after validation; the simulator, http and mcp each provide one. */
export interface ToolExecutor {
	/** Resolves with the JSON result; throws AppError with a message that the policy may read. `timeoutMs` is already the tool's own. */
	execute(call: {
		binding: { kind: string; handler?: string; connection?: string; tool?: string; path?: string; method?: string };
		args: Record<string, unknown>;
		room: Record<string, unknown>;
		seed: number;
		scope: string;
		signal: AbortSignal;
		timeoutMs: number;
	}): Promise<unknown>;
}

// ---- tries: a harness on one message, from the editor ----

export const TryInputSchema = z.object({
	message: z.string().trim().min(1).max(4000),
	history: z.array(TurnSchema).max(50).default([]),
	/** A named room of the workspace with deep overrides; left out: the first one. */
	room: z.object({ base: z.string(), set: z.record(z.string(), z.unknown()).default({}) }).optional(),
	faults: z.array(FaultSchema).max(20).default([]),
	seed: z.number().int().min(0).max(2_147_483_647).default(1),
});
export type TryInput = z.infer<typeof TryInputSchema>;

/** What to try: the person's draft of a branch (with what the window has not saved yet), or a branch, tag, commit or tree. */
export const TrySourceSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("draft"), branch: z.string().min(1).max(200), changes: z.record(z.string(), z.string().nullable()).default({}) }),
	z.object({ kind: z.literal("ref"), ref: z.string().min(1).max(200) }),
]);
export type TrySource = z.infer<typeof TrySourceSchema>;

export const TryStatusSchema = z.enum(["queued", "running", "cancelling", "cancelled", "done", "failed"]);
export type TryStatus = z.infer<typeof TryStatusSchema>;

export const TrySchema = z.object({
	id: z.string(),
	source: z.string(),
	treeId: z.string(),
	policyName: z.string(),
	input: TryInputSchema,
	status: TryStatusSchema,
	/** What has happened so far; the whole of it once there is a trajectory. */
	steps: z.array(StepSchema),
	trajectory: TrajectorySchema.nullable(),
	error: z
		.object({ reason: z.string(), message: z.string(), fix: z.string().nullable(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
		.nullable(),
	createdAt: z.date(),
	finishedAt: z.date().nullable(),
});
export type Try = z.infer<typeof TrySchema>;

/** A try in a list. */
export const TrySummarySchema = TrySchema.pick({
	id: true,
	source: true,
	treeId: true,
	policyName: true,
	status: true,
	createdAt: true,
	finishedAt: true,
}).extend({
	message: z.string(),
	outcome: OutcomeSchema.nullable(),
	reply: z.string().nullable(),
	durationMs: z.number().nullable(),
});
export type TrySummary = z.infer<typeof TrySummarySchema>;
