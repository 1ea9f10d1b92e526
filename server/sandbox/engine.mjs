import { newQuickJSWASMModule } from "quickjs-emscripten";
import { lockdownSource } from "./lockdown.mjs";
import { toFactory } from "./module-source.mjs";

/** Runtimes kept: one for each set of preloaded data. */
const MAX_REALMS = 6;
/** Scopes kept in a runtime; callers release theirs, this bounds what a forgetful one can hold. */
const MAX_SCOPES = 512;
/** Shared values kept in a runtime. */
const MAX_SHARED = 64;
/** Compiled modules kept in a runtime. */
const MAX_MODULES = 256;
/**
 * The engine asks the interrupt handler about every 0.5 ms of its own work. A call is stopped when its time is over *and* it
 * has asked this often: a machine that stalls for 50 ms must not look like a hook that loops.
 */
const MIN_TICKS = 40;
const BOOT_LIMITS = { timeMs: 10_000, memoryBytes: 256 << 20, stackBytes: 512 << 10 };

class Failure extends Error {
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
}

/** The kind of what the engine itself threw: its interrupts, its memory and stack limits, else the code's own error. */
function kindOf(message) {
	if (/interrupted/.test(message)) return "timeout";
	if (/out of memory|\[memory\]/i.test(message)) return "memory";
	if (/stack/i.test(message) && /^(InternalError|RangeError)/.test(message)) return "stack";
	return "throw";
}

/** One locked QuickJS runtime with its preloaded data, and the module instances of its scopes. */
class Realm {
	constructor(quickjs, dataJson) {
		this.runtime = quickjs.newRuntime();
		this.deadline = 0;
		this.ticks = 0;
		this.runtime.setInterruptHandler(() => ++this.ticks > MIN_TICKS && performance.now() > this.deadline);
		this.baseBytes = 0;
		this.factories = new Map();
		this.scopes = new Map();
		this.shared = new Set();
		this.calls = 0;
		this.tainted = false;
		this.limit(BOOT_LIMITS);
		this.context = this.runtime.newContext();
		const context = this.context;
		this.driver = context.unwrapResult(context.evalCode(lockdownSource, "studio.js"));
		this.globals = context.getProp(this.driver, "globals");
		this.functions = {};
		for (const name of ["setData", "hold", "isWhole", "drop", "call", "collect", "describe"]) this.functions[name] = context.getProp(this.driver, name);
		if (dataJson !== undefined) this.invoke("setData", [context.newString(dataJson)])?.dispose();
		this.measure();
	}

	/** Trusted data does not count against the limit of a call. */
	measure() {
		const usage = this.runtime.computeMemoryUsage();
		this.baseBytes = this.context.getProp(usage, "memory_used_size").consume((handle) => this.context.getNumber(handle));
		usage.dispose();
	}

	/** Makes the values that a call shares with others present. */
	hold(shared, textOf) {
		let added = false;
		for (const [, id] of shared) {
			if (this.shared.delete(id)) {
				this.shared.add(id);
				continue;
			}
			this.limit(BOOT_LIMITS);
			if (this.shared.size >= MAX_SHARED) {
				const oldest = this.shared.values().next().value;
				this.shared.delete(oldest);
				this.invoke("drop", [this.context.newString(oldest)]).dispose();
			}
			this.invoke("hold", [this.context.newString(id), this.context.newString(textOf(id))]).dispose();
			this.shared.add(id);
			added = true;
		}
		if (added) this.measure();
	}

	limit({ timeMs, memoryBytes, stackBytes }) {
		this.runtime.setMemoryLimit(this.baseBytes + memoryBytes);
		this.runtime.setMaxStackSize(stackBytes);
		this.ticks = 0;
		this.deadline = performance.now() + timeMs;
	}

	/** Calls a function of the driver and disposes the arguments; throws Failure for what the engine refuses. */
	invoke(name, args) {
		try {
			return this.unwrap(this.context.callFunction(this.functions[name], this.context.undefined, ...args));
		} finally {
			for (const arg of args) if (arg !== this.context.undefined && arg.alive && !arg.kept) arg.dispose();
		}
	}

	unwrap(result) {
		if (!result.error) return result.value;
		let message = "InternalError: interrupted";
		try {
			// The deadline may be over; reading the error needs a little more.
			this.ticks = 0;
			this.deadline = performance.now() + 20;
			const dumped = this.context.dump(result.error);
			message = `${dumped?.name ?? "Error"}: ${dumped?.message ?? String(dumped)}`.slice(0, 500);
		} catch {
			message = "Error: what was thrown cannot be read";
		} finally {
			result.error.dispose();
		}
		throw new Failure(kindOf(message), message);
	}

	/** The scope's own instance of a module; made on first use. */
	instance(scope, source) {
		let instances = this.scopes.get(scope);
		if (instances) {
			this.scopes.delete(scope);
		} else {
			instances = new Map();
			if (this.scopes.size >= MAX_SCOPES) this.release(this.scopes.keys().next().value);
		}
		this.scopes.set(scope, instances);
		let handle = instances.get(source);
		if (!handle) {
			handle = this.unwrap(this.context.callFunction(this.factory(source), this.context.undefined, this.globals));
			handle.kept = true;
			instances.set(source, handle);
		}
		return handle;
	}

	factory(source) {
		let handle = this.factories.get(source);
		if (handle) return handle;
		let text;
		try {
			text = toFactory(source);
		} catch (error) {
			throw new Failure("compile", String(error.message).slice(0, 500));
		}
		// Unclean until proven otherwise: whatever is not one function may have left something in the realm, also by failing.
		const wasTainted = this.tainted;
		this.tainted = true;
		const result = this.context.evalCode(text, "module.js", { type: "global" });
		try {
			handle = this.unwrap(result);
		} catch (error) {
			throw error.kind === "throw" ? new Failure("compile", error.message) : error;
		}
		if (!this.isWhole(handle, text.slice(1, -1))) {
			handle.dispose();
			throw new Failure("compile", "SyntaxError: The text leaves the function that holds it.");
		}
		this.tainted = wasTainted;
		if (this.factories.size >= MAX_MODULES) {
			const [oldest, old] = this.factories.entries().next().value;
			old.dispose();
			this.factories.delete(oldest);
		}
		this.factories.set(source, handle);
		return handle;
	}

	isWhole(handle, text) {
		handle.kept = true;
		return this.invoke("isWhole", [handle, this.context.newString(text)]).consume((value) => this.context.dump(value)) === true;
	}

	/** Reads the driver's answer; its first letter says what it is. */
	read(handle, maxOutput) {
		try {
			const length = this.context.getProp(handle, "length").consume((value) => this.context.getNumber(value));
			if (length > maxOutput + 1) throw new Failure("output", `The result has ${length - 1} characters of JSON; the limit is ${maxOutput}.`);
			return this.context.getString(handle);
		} finally {
			handle.dispose();
		}
	}

	run(call) {
		this.limit(call.limits);
		this.calls += 1;
		try {
			return this.settle(this.answer(call));
		} finally {
			// What still waits would run in another scope's call.
			if (this.runtime.hasPendingJob()) this.tainted = true;
		}
	}

	answer(call) {
		const { context } = this;
		const instance = this.instance(call.scope, call.source);
		if (call.kind === "describe") return this.read(this.invoke("describe", [instance]), call.limits.maxOutput);
		const args = [instance, context.newString(call.json), context.newString(JSON.stringify(call.shared.flat()))];
		args.push(context.newNumber(call.seed), context.newNumber(call.nowMs));
		const text = this.read(this.invoke("call", [...args, call.freezeInput ? context.true : context.false]), call.limits.maxOutput);
		if (text !== "p") return text;
		const jobs = this.runtime.executePendingJobs(10_000);
		if (jobs.error) this.unwrap(jobs);
		return this.read(this.invoke("collect", []), call.limits.maxOutput);
	}

	settle(text) {
		const rest = text.slice(1);
		if (text[0] === "v") return rest;
		if (text[0] === "t") throw new Failure(kindOf(rest), rest);
		throw new Failure("invalid", rest);
	}

	release(scope) {
		const instances = this.scopes.get(scope);
		if (!instances) return;
		this.scopes.delete(scope);
		for (const handle of instances.values()) handle.dispose();
	}

	dispose() {
		for (const scope of [...this.scopes.keys()]) this.release(scope);
		for (const handle of this.factories.values()) handle.dispose();
		for (const handle of Object.values(this.functions)) handle.dispose();
		this.globals.dispose();
		this.driver.dispose();
		this.context.dispose();
		this.runtime.dispose();
	}
}

/** The engine of one thread: realms by preloaded data, rebuilt after anything that may have left one unclean. */
export async function createEngine() {
	let quickjs = await newQuickJSWASMModule();
	const realms = new Map();

	async function discard(key) {
		const realm = realms.get(key);
		realms.delete(key);
		try {
			realm?.dispose();
		} catch {
			// A WebAssembly instance that cannot even free is not used again, nor is anything that lives in it.
			realms.clear();
			quickjs = await newQuickJSWASMModule();
		}
	}

	async function open(key, dataJson) {
		const known = realms.get(key);
		if (known) return known;
		if (realms.size >= MAX_REALMS) await discard(realms.keys().next().value);
		const realm = new Realm(quickjs, dataJson);
		realms.set(key, realm);
		return realm;
	}

	return {
		/** Makes the realm and the data of a call before its clock starts. */
		async prepare(call, textOf) {
			const realm = await open(call.dataId ?? "", call.dataId === undefined ? undefined : textOf(call.dataId));
			realm.hold(call.shared, textOf);
		},
		/** Runs one call; resolves with `{ ok, json }` or `{ ok: false, kind, message }`, never rejects. */
		async run(call, textOf) {
			const key = call.dataId ?? "";
			const startedAt = performance.now();
			for (let attempt = 0; ; attempt++) {
				let realm;
				try {
					realm = await open(key, call.dataId === undefined ? undefined : textOf(call.dataId));
					if (attempt > 0) realm.hold(call.shared, textOf);
					const json = realm.run(call);
					if (realm.tainted) await discard(key);
					return { ok: true, json, durationMs: performance.now() - startedAt };
				} catch (error) {
					// Whatever is no Failure came out of the WebAssembly instance itself (its stack, an abort).
					const kind = error instanceof Failure ? error.kind : /stack/i.test(String(error.message)) ? "stack" : "crash";
					const shared = (realm?.calls ?? 0) > 1;
					if (realm?.tainted || !["throw", "invalid", "compile", "output"].includes(kind)) await discard(key);
					if (!(error instanceof Failure)) {
						realms.clear();
						quickjs = await newQuickJSWASMModule();
					}
					// The memory may be what earlier scopes hold: in a realm of its own the call fails only by its own doing.
					if (kind === "memory" && shared && attempt === 0) continue;
					return { ok: false, kind, message: String(error.message ?? error).slice(0, 500), durationMs: performance.now() - startedAt };
				}
			}
		},
		release(scope) {
			for (const realm of realms.values()) realm.release(scope);
		},
	};
}
