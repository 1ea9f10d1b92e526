import { availableParallelism } from "node:os";
import { AppError } from "@/server/kernel/errors";
import { hash32 } from "@/server/kernel/random";
import type { Sandbox, SandboxLimits, SandboxModule } from "./contract";
import { SandboxThread, type ThreadCall } from "./thread";

/** Of a hook; a caller narrows or widens them per call. */
export const DEFAULT_LIMITS: SandboxLimits = { timeMs: 50, hardMs: 1_000, memoryBytes: 16 << 20, stackBytes: 256 << 10, maxOutput: 256 * 1024 };
const MAX_INPUT = 4 << 20;

// The file name is computed so that a web bundler does not pull the engine in: hooks never run in the web process.
const workerFile = (): URL => new URL(["./worker", "mjs"].join("."), import.meta.url);

/**
 * A sandbox over `threads` worker threads (default: the machine's cores, at most 4, without one for the process itself).
 * Threads start on first use and do not keep the process alive. A scope stays on one thread, so its calls see one state;
 * when another scope's code makes the thread be killed, that state starts afresh.
 */
export function createSandbox(options: { threads?: number } = {}): Sandbox {
	const count = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
	const threads = Array.from({ length: count }, () => new SandboxThread(workerFile()));
	const texts = new WeakMap<object, { id: string; json: string }>();
	let anonymous = 0;

	const pick = (scope: string): SandboxThread => {
		const thread = threads[hash32(scope) % threads.length];
		if (!thread) throw new AppError("internal", "The sandbox has no thread.");
		return thread;
	};

	function textOfObject(value: object, name?: string): { id: string; json: string } {
		let known = texts.get(value);
		if (!known) {
			known = { id: name ?? `value-${++anonymous}`, json: JSON.stringify(value) };
			texts.set(value, known);
		}
		return known;
	}

	/** Ids and texts of what a call needs beside its own input. */
	function reference(module: SandboxModule, shared: Record<string, object> = {}): Pick<ThreadCall, "dataId" | "shared" | "textOf"> {
		const known = new Map<string, string>();
		const keep = (value: object, name?: string) => {
			const { id, json } = textOfObject(value, name);
			known.set(id, json);
			return id;
		};
		const dataId = module.data ? keep(module.data, module.dataId) : undefined;
		const pairs = Object.entries(shared).map(([key, value]): [string, string] => [key, keep(value)]);
		return { dataId, shared: pairs, textOf: (id) => known.get(id) ?? "null" };
	}

	return {
		run(module, input, { scope, seed, nowMs, limits, shared }) {
			const json = JSON.stringify(input);
			if (json.length > MAX_INPUT)
				return Promise.resolve({ ok: false, kind: "invalid", message: `The input has ${json.length} characters of JSON.`, durationMs: 0 });
			return pick(scope).run({
				...reference(module, shared),
				kind: "run",
				scope,
				source: module.source,
				json,
				seed: seed | 0,
				nowMs,
				freezeInput: module.globals === "none",
				limits: limits ? { ...DEFAULT_LIMITS, ...limits } : DEFAULT_LIMITS,
			});
		},
		async describe(module) {
			const scope = `describe-${++anonymous}`;
			const thread = pick(scope);
			const call = { ...reference(module), kind: "describe", scope, source: module.source, json: "{}" } as const;
			const result = await thread.run({ ...call, seed: 0, nowMs: 0, freezeInput: false, limits: DEFAULT_LIMITS });
			thread.release(scope);
			return result;
		},
		release(scope) {
			pick(scope).release(scope);
		},
		async close() {
			await Promise.all(threads.map((thread) => thread.close()));
		},
	};
}
