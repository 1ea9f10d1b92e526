import { availableParallelism } from "node:os";
import { AppError } from "@/server/kernel/errors";
import { hash32 } from "@/server/kernel/random";
import type { Sandbox, SandboxLimits, SandboxModule } from "./contract";
import { SandboxThread } from "./thread";

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

	function dataOf(module: SandboxModule): { id: string | undefined; json: () => string } {
		const { data } = module;
		if (!data) return { id: undefined, json: () => "{}" };
		let known = texts.get(data);
		if (!known) {
			known = { id: module.dataId ?? `data-${++anonymous}`, json: JSON.stringify(data) };
			texts.set(data, known);
		}
		const { id, json } = known;
		return { id, json: () => json };
	}

	return {
		run(module, input, { scope, seed, nowMs, limits }) {
			const json = JSON.stringify(input);
			if (json.length > MAX_INPUT) return Promise.resolve({ ok: false, kind: "invalid", message: `The input has ${json.length} characters of JSON.`, durationMs: 0 });
			const data = dataOf(module);
			return pick(scope).run({
				kind: "run",
				scope,
				source: module.source,
				dataId: data.id,
				dataJson: data.json,
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
			const data = dataOf(module);
			const call = { kind: "describe", scope, source: module.source, dataId: data.id, dataJson: data.json, json: "{}" } as const;
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
