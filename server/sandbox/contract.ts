/** Limits of one call of untrusted JavaScript. */
export interface SandboxLimits {
	/** Interrupted after this long inside the engine. */
	timeMs: number;
	/** The thread is killed after this long by the wall clock (built-ins overrun the interrupt). */
	hardMs: number;
	memoryBytes: number;
	stackBytes: number;
	/** Characters of JSON that may come back. */
	maxOutput: number;
}

export type SandboxFailureKind = "compile" | "throw" | "timeout" | "memory" | "stack" | "output" | "killed" | "crash" | "invalid";

/** A module of untrusted code: `export default { …, run(input) }`, plus data that its calls may read. */
export interface SandboxModule {
	/** Source text; compiled once per thread and kept by its hash. */
	source: string;
	/** Frozen data that the module's `run` receives as `input.<key>` without being sent each time; keyed by `dataId`. */
	data?: Record<string, unknown>;
	dataId?: string;
	/** Names of outcome helpers to define: hooks get pass / replace / retry / block. */
	globals?: "hook" | "none";
}

export type SandboxResult = { ok: true; value: unknown; durationMs: number } | { ok: false; kind: SandboxFailureKind; message: string; durationMs: number };

/**
 * Runs untrusted JavaScript in QuickJS on its own thread: no I/O, no environment, `Math.random` seeded and `Date` fixed
 * by the caller, nothing kept between episodes. Never throws for what the code does; only for misuse.
 */
export interface Sandbox {
	/** Calls `default.run(input)`. Calls with one `scope` see one context (state may pass between them); scopes never share. */
	run(
		module: SandboxModule,
		input: Record<string, unknown>,
		options: {
			scope: string;
			/** Each call starts the sequence of `Math.random` anew from it. */
			seed: number;
			nowMs: number;
			limits?: Partial<SandboxLimits>;
			/** More input, by key, that is the same object in many calls: sent to a thread once, frozen there. Don't mutate it. */
			shared?: Record<string, object>;
		},
	): Promise<SandboxResult>;
	/** Compiles and returns the static fields of the default export (all but functions). */
	describe(module: SandboxModule): Promise<SandboxResult>;
	/** Frees what a scope holds. */
	release(scope: string): void;
	close(): Promise<void>;
}
