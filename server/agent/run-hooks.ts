import type { HarnessHook, HookEvent } from "@/server/harness/contract";
import type { Sandbox } from "@/server/sandbox/contract";
import type { Step } from "./contract";
import type { EpisodeLog } from "./episode-log";

export interface HookContext {
	sandbox: Sandbox;
	log: EpisodeLog;
	scope: string;
	seed: number;
	nowMs: number;
	/** Read by every hook: room, constraints, history. */
	shared: Record<string, object>;
	/** Retries that each event has left. */
	retriesLeft: Record<HookEvent, number>;
}

export type HookVerdict =
	| { kind: "pass"; value: unknown }
	| { kind: "retry"; hook: string; message: string }
	| { kind: "block"; hook: string; reason: string; fallback: string | null };

type Reading =
	| { outcome: "pass" }
	| { outcome: "replace"; value: unknown }
	| { outcome: "retry"; message: string }
	| { outcome: "block"; message: string; fallback: string | null }
	| { outcome: "hook-error"; message: string; errorKind: string };

/** Where the hook's value travels in its input, and what may replace it. */
const SUBJECT: Record<HookEvent, { key: string; fits: (value: unknown) => boolean; what: string }> = {
	input: { key: "message", fits: (value) => typeof value === "string", what: "a text" },
	skill: { key: "body", fits: (value) => typeof value === "string", what: "a text" },
	"tool-call": { key: "args", fits: isPlainObject, what: "an object of arguments" },
	"tool-result": { key: "result", fits: (value) => value !== undefined, what: "a JSON value" },
	reply: { key: "reply", fits: (value) => typeof value === "string", what: "a text" },
};

/**
 * Runs an event's hooks in order. `replace` feeds the next one; the first other outcome ends the event. A retry without any
 * left, and a hook that fails by itself, end in a block where the hook is closed and count as pass where it is open.
 */
export async function runHooks(
	context: HookContext,
	event: HookEvent,
	hooks: readonly HarnessHook[],
	subject: unknown,
	input: Record<string, unknown>,
	about: { target?: string; callId?: string } = {},
): Promise<HookVerdict> {
	let value = subject;
	for (const hook of hooks) {
		const sinceMs = context.log.elapsedMs();
		const reading = await callHook(context, hook, { ...input, [SUBJECT[event].key]: value, trajectory: context.log.steps.map(stepForHook) });
		const { outcome } = reading;
		const detail = outcome === "pass" ? {} : outcome === "replace" ? { value: reading.value } : { message: reading.message };
		const failure = outcome === "hook-error" ? { errorKind: reading.errorKind } : {};
		context.log.add({ type: "hook", hook: hook.id, event, ...about, outcome, ...detail, ...failure }, sinceMs);
		if (outcome === "replace") value = reading.value;
		if (outcome === "block") return { kind: "block", hook: hook.id, reason: reading.message, fallback: reading.fallback };
		if (outcome === "hook-error" && hook.failure === "closed") return { kind: "block", hook: hook.id, reason: reading.message, fallback: null };
		if (outcome !== "retry") continue;
		if (context.retriesLeft[event] > 0) {
			context.retriesLeft[event] -= 1;
			return { kind: "retry", hook: hook.id, message: reading.message };
		}
		if (hook.failure === "closed") return { kind: "block", hook: hook.id, reason: `No retries are left. ${reading.message}`, fallback: null };
	}
	return { kind: "pass", value };
}

async function callHook(context: HookContext, hook: HarnessHook, input: Record<string, unknown>): Promise<Reading> {
	const { sandbox, scope, seed, nowMs, shared } = context;
	const result = await sandbox.run({ source: hook.source, globals: "hook" }, input, { scope, seed, nowMs, shared });
	if (!result.ok) return { outcome: "hook-error", message: result.message, errorKind: result.kind };
	return readOutcome(hook.event, result.value);
}

/** What a hook returned, if it is one of the four outcomes with a value that the event can take. */
export function readOutcome(event: HookEvent, returned: unknown): Reading {
	const invalid = (message: string): Reading => ({ outcome: "hook-error", message, errorKind: "invalid" });
	if (!isPlainObject(returned)) return invalid("A hook returns pass(), replace(…), retry(…) or block(…).");
	switch (returned.outcome) {
		case "pass":
			return { outcome: "pass" };
		case "replace": {
			const { fits, what } = SUBJECT[event];
			return fits(returned.value) ? { outcome: "replace", value: returned.value } : invalid(`replace(…) takes ${what} for the event ${event}.`);
		}
		case "retry":
			return { outcome: "retry", message: textOf(returned.message) };
		case "block":
			return {
				outcome: "block",
				message: textOf(returned.message),
				fallback: typeof returned.fallback === "string" ? returned.fallback.slice(0, 8_000) : null,
			};
		default:
			return invalid("A hook returns pass(), replace(…), retry(…) or block(…).");
	}
}

/** A step as hooks see it: what happened, without what only the studio reads. */
function stepForHook(step: Step): Record<string, unknown> {
	if (step.type !== "model") return step;
	const { decisions: _decisions, requestHash: _hash, reasoning: _reasoning, usage: _usage, cached: _cached, ...rest } = step;
	return rest;
}

const textOf = (value: unknown) => (typeof value === "string" ? value.slice(0, 2_000) : "");

export function isPlainObject(value: unknown): value is Record<string, unknown> {
	return value !== null && typeof value === "object" && !Array.isArray(value);
}
