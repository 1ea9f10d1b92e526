import { AppError, messageOf } from "@/server/kernel/errors";
import { isDeeper } from "@/server/kernel/json";
import { logger } from "@/server/kernel/logger";
import { hash32 } from "@/server/kernel/random";
import type { CompiledHarness, CompiledTool } from "./compile-harness";
import type { ToolCall, ToolExecutor } from "./contract";
import type { EpisodeLog } from "./episode-log";
import { type FaultPlan, faultyAnswer, needsResult } from "./inject-fault";
import { type HookContext, isPlainObject, runHooks } from "./run-hooks";

const MAX_ARGUMENTS = 64 * 1024;
/** Deeper values could overflow the stack of a check that goes down with them. */
/** Characters of a tool's result that go to the model. */
const MAX_RESULT = 32 * 1024;
const RETRYABLE = new Set(["timeout", "upstream", "unavailable", "rate-limited"]);

export interface ToolContext {
	compiled: CompiledHarness;
	tools: Readonly<Record<string, ToolExecutor>>;
	room: Record<string, unknown>;
	faults: FaultPlan;
	log: EpisodeLog;
	hooks: HookContext;
	signal: AbortSignal;
}

/** What goes back to the policy, or the block that a hook asked for. */
export type ToolAnswer = { kind: "result"; content: string; isError: boolean } | { kind: "block"; hook: string; reason: string; fallback: string | null };

const failed = (error: string): ToolAnswer => ({ kind: "result", content: JSON.stringify({ error }), isError: true });

/**
 * One call of the policy: name and arguments checked, tool-call hooks, execution with time-out, retries and injected
 * faults, tool-result hooks. Every failure is a result that the policy can read; only a cancelled episode
 * throws, and a harness whose input schema cannot be checked (`precondition` / `tool-schema-fault`).
 */
export async function callTool(context: ToolContext, call: ToolCall): Promise<ToolAnswer> {
	const tool = context.compiled.tools.get(call.name);
	const refuse = (error: string): ToolAnswer => {
		context.log.add({ type: "tool", callId: call.id, name: call.name, handler: tool?.handler ?? "", arguments: call.arguments, attempt: 0, ok: false, error });
		return failed(error);
	};
	if (!tool) return refuse(`There is no tool “${call.name.slice(0, 128)}”. There are: ${[...context.compiled.tools.keys()].join(", ") || "none"}.`);
	const problem = call.invalid ?? argumentsProblem(tool, call.arguments);
	if (problem) return refuse(problem);

	const given = renameKeys(call.arguments as Record<string, unknown>, tool.argumentNames);
	const about = { target: call.name, callId: call.id };
	const before = await runHooks(context.hooks, "tool-call", context.compiled.hooks["tool-call"], given, { tool: call.name, handler: tool.handler }, about);
	if (before.kind === "block") return before;
	if (before.kind === "retry") return failed(before.message);
	const args = before.value as Record<string, unknown>;
	const replaced = args === given ? null : argumentsProblem(tool, isPlainObject(args) ? renameKeys(args, tool.toolNames) : args);
	if (replaced) return refuse(`A hook changed the arguments into ones that the tool does not take. ${replaced}`);

	const result = await execute(context, tool, call, args);
	const input = { tool: call.name, handler: tool.handler, args, ok: result.ok, error: result.ok ? null : result.error };
	const after = await runHooks(context.hooks, "tool-result", context.compiled.hooks["tool-result"], result.ok ? result.value : null, input, about);
	if (after.kind === "block") return after;
	if (after.kind === "retry") return failed(after.message);
	if (!result.ok && after.value === null) return failed(result.error);
	return { kind: "result", content: clip(JSON.stringify(after.value ?? null)), isError: false };
}

/** The same arguments under other names: of the tool, or of what it is bound to. */
function renameKeys(args: Record<string, unknown>, names: Readonly<Record<string, string>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(args).map(([name, value]) => [Object.hasOwn(names, name) ? (names[name] as string) : name, value]));
}

function argumentsProblem(tool: CompiledTool, args: unknown): string | null {
	if (!isPlainObject(args)) return `The arguments of ${tool.tool.name} must be a JSON object.`;
	if (isDeeper(args)) return `The arguments of ${tool.tool.name} are nested too deeply.`;
	if (JSON.stringify(args).length > MAX_ARGUMENTS) return `The arguments of ${tool.tool.name} are too long.`;
	let check: ReturnType<CompiledTool["check"]>;
	try {
		check = tool.check(args);
	} catch (error) {
		// No policy can do better against a check that fails itself: the harness is at fault, and the episode is not to be scored.
		throw new AppError("precondition", `The input schema of ${tool.tool.name} cannot be checked: ${messageOf(error).slice(0, 300)}`, {
			reason: "tool-schema-fault",
			params: { name: tool.tool.name },
			fix: "Mend the tool's inputSchema on the Harness page.",
			cause: error,
		});
	}
	if (check.ok) return null;
	const errors = check.errors.slice(0, 5).map(({ path, message }) => (path ? `${path} ${message}` : message));
	return `The arguments of ${tool.tool.name} are not valid: ${errors.join("; ")}.`;
}

/** Where a defect is, for the log: its message may repeat what a sealed case says. */
function withoutWords(error: unknown): { error: string; at: string[] } {
	const { name, stack = "" } = error instanceof Error ? error : { name: typeof error };
	return {
		error: name,
		at: stack
			.split("\n")
			.filter((line) => /^\s+at /.test(line))
			.slice(0, 6)
			.map((line) => line.trim()),
	};
}

type Execution = { ok: true; value: unknown } | { ok: false; error: string };

async function execute(context: ToolContext, tool: CompiledTool, call: ToolCall, args: Record<string, unknown>): Promise<Execution> {
	for (let attempt = 1; ; attempt++) {
		const sinceMs = context.log.elapsedMs();
		const fault = context.faults.take(tool.handler);
		const step = { type: "tool" as const, callId: call.id, name: call.name, handler: tool.handler, arguments: args, attempt, ...(fault ? { fault } : {}) };
		try {
			const value = await attemptOnce(context, tool, call, args, fault);
			context.log.add({ ...step, ok: true, result: value }, sinceMs);
			return { ok: true, value };
		} catch (error) {
			if (context.signal.aborted) throw error;
			// Anything but an AppError is a defect of ours or of an executor; its text may name what a policy must not read.
			const known = error instanceof AppError ? error : new AppError("internal", "The tool failed.", { cause: error });
			if (known !== error) logger.error({ tool: tool.handler, ...withoutWords(error) }, "an executor threw what is not an AppError");
			context.log.add({ ...step, ok: false, error: known.message }, sinceMs);
			const again = attempt <= tool.retryAttempts && RETRYABLE.has(known.code);
			if (!again) return { ok: false, error: known.message };
			context.log.add({ type: "retry", reason: `tool:${call.name}`, attempt });
		}
	}
}

async function attemptOnce(
	context: ToolContext,
	tool: CompiledTool,
	call: ToolCall,
	args: Record<string, unknown>,
	fault: ReturnType<FaultPlan["take"]>,
): Promise<unknown> {
	const { binding, timeoutMs } = tool;
	const { seed, scope } = context.hooks;
	const answer =
		fault && !needsResult(fault)
			? null
			: await withTimeout(context, timeoutMs, (signal) => {
					const executor = context.tools[binding.kind];
					if (!executor)
						throw new AppError("unavailable", `No executor for tools of kind ${binding.kind}.`, {
							reason: "tool-kind-unavailable",
							fix: "Bind the tool to a handler of the workspace, or to a connection, on the Harness page.",
						});
					return executor.execute({ binding, args, room: context.room, seed, scope, signal, timeoutMs });
				});
	if (!fault) return answer;
	if (fault === "timeout") context.log.skip(timeoutMs);
	return faultyAnswer(fault, answer, { timeoutMs, seed: seed ^ hash32(`${tool.handler}/${call.id}`), now: String(context.room.now) });
}

/** Ends the wait after `timeoutMs` or when the episode ends, whether or not the executor heeds its signal. */
async function withTimeout<T>(context: ToolContext, timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	let stop: () => void = () => undefined;
	const stopped = new Promise<never>((_resolve, reject) => {
		const end = (error: AppError) => {
			reject(error);
			controller.abort(error);
		};
		const timer = setTimeout(() => end(new AppError("timeout", `The tool did not answer within ${timeoutMs} ms.`, { reason: "tool-timeout" })), timeoutMs);
		const onAbort = () => end(new AppError("cancelled", "The episode ended."));
		if (context.signal.aborted) onAbort();
		context.signal.addEventListener("abort", onAbort, { once: true });
		stop = () => {
			clearTimeout(timer);
			context.signal.removeEventListener("abort", onAbort);
		};
	});
	try {
		return await Promise.race([work(controller.signal), stopped]);
	} finally {
		stop();
	}
}

const clip = (text: string) => (text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}… (${text.length - MAX_RESULT} characters left out)` : text);
