import { Worker } from "node:worker_threads";
import { messageOf } from "@/server/kernel/errors";
import { parseJson } from "@/server/kernel/json";
import type { SandboxFailureKind, SandboxLimits, SandboxResult } from "./contract";

/** Calls sent to the thread at once: enough to hide the crossing, few enough that a killed batch is repeated quickly. */
const BATCH = 64;
const BOOT_MS = 20_000;
const MAX_TRIES = 3;

export interface ThreadCall {
	kind: "run" | "describe";
	scope: string;
	source: string;
	dataId: string | undefined;
	/** Input keys whose values are shared: `[key, id]`. */
	shared: [string, string][];
	/** Text of data or of a shared value; asked for only when the thread does not hold it yet. */
	textOf: (id: string) => string;
	json: string;
	seed: number;
	nowMs: number;
	freezeInput: boolean;
	limits: SandboxLimits;
}

interface Pending extends ThreadCall {
	id: number;
	tries: number;
	settle: (result: SandboxResult) => void;
}

type Answer = { id: number; durationMs: number } & (
	| { missing: string[] }
	| { ok: true; json: string }
	| { ok: false; kind: SandboxFailureKind; message: string }
);
type Message = { ready: true } | { batch: number; results: Answer[]; done: boolean };

const needs = (call: ThreadCall): string[] => [...(call.dataId === undefined ? [] : [call.dataId]), ...call.shared.map(([, id]) => id)];

/** What a call answered. Lists in lists without end are no answer: whoever keeps or hashes the value would overflow the stack. */
function resultOf(json: string, durationMs: number): SandboxResult {
	try {
		return { ok: true, value: parseJson(json), durationMs };
	} catch (error) {
		return { ok: false, kind: "invalid", message: `The result cannot be used: ${messageOf(error)}.`, durationMs };
	}
}

/** One worker thread with its queue: sends batches, watches the wall clock, replaces the thread when it must be killed. */
export class SandboxThread {
	private worker: Worker | undefined;
	private ready = false;
	private control = new Int32Array(new SharedArrayBuffer(8));
	private queue: Pending[] = [];
	private flying = new Map<number, Pending>();
	private batchOrder: number[] = [];
	private batch = 0;
	private sequence = 0;
	private held = new Set<string>();
	private releases: string[] = [];
	private timer: NodeJS.Timeout | undefined;
	private scheduled = false;

	constructor(private readonly file: URL) {}

	get load(): number {
		return this.queue.length + this.flying.size;
	}

	run(call: ThreadCall): Promise<SandboxResult> {
		return new Promise((resolve) => {
			this.queue.push({ ...call, id: ++this.sequence, tries: 0, settle: resolve });
			this.schedule();
		});
	}

	release(scope: string): void {
		if (this.worker) this.releases.push(scope);
	}

	async close(): Promise<void> {
		clearTimeout(this.timer);
		const worker = this.worker;
		this.worker = undefined;
		for (const call of [...this.flying.values(), ...this.queue]) call.settle({ ok: false, kind: "killed", message: "The sandbox was closed.", durationMs: 0 });
		this.flying.clear();
		this.queue = [];
		await worker?.terminate();
	}

	/** Calls made in one turn of the event loop travel together. */
	private schedule(): void {
		if (this.scheduled) return;
		this.scheduled = true;
		queueMicrotask(() => {
			this.scheduled = false;
			this.dispatch();
		});
	}

	private dispatch(): void {
		if (this.flying.size > 0 || this.queue.length === 0) return;
		const worker = this.worker ?? this.start();
		const calls = this.queue.splice(0, BATCH);
		const data = new Map<string, string>();
		for (const call of calls) {
			call.tries += 1;
			this.flying.set(call.id, call);
			for (const id of needs(call)) {
				if (this.held.has(id)) continue;
				data.set(id, call.textOf(id));
				this.held.add(id);
			}
		}
		this.batchOrder = calls.map((call) => call.id);
		this.batch += 1;
		Atomics.store(this.control, 0, -1);
		worker.ref();
		worker.postMessage({
			batch: this.batch,
			calls: calls.map(({ textOf: _text, settle: _settle, tries: _tries, ...call }) => call),
			data: [...data].map(([id, json]) => ({ id, json })),
			release: this.releases.splice(0),
		});
		this.watch(this.ready ? this.patience() : BOOT_MS);
	}

	private start(): Worker {
		this.ready = false;
		this.held.clear();
		this.control = new Int32Array(new SharedArrayBuffer(8));
		Atomics.store(this.control, 0, -1);
		const worker = new Worker(this.file, {
			workerData: { control: this.control.buffer },
			env: {},
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 8 },
		});
		worker.on("message", (message: Message) => this.worker === worker && this.receive(message));
		worker.on("error", (error) => this.worker === worker && this.fail("crash", messageOf(error)));
		worker.on("exit", () => this.worker === worker && this.fail("crash", "The thread ended."));
		this.worker = worker;
		return worker;
	}

	private receive(message: Message): void {
		if ("ready" in message) {
			this.ready = true;
			if (this.flying.size > 0) this.watch(this.patience());
			else this.worker?.unref();
			return;
		}
		if (message.batch !== this.batch) return;
		for (const answer of message.results) this.answer(answer);
		if (!message.done) return;
		clearTimeout(this.timer);
		this.flying.clear();
		if (this.queue.length > 0) this.schedule();
		else this.worker?.unref();
	}

	private answer(answer: Answer): void {
		const call = this.flying.get(answer.id);
		if (!call) return;
		this.flying.delete(answer.id);
		if ("missing" in answer) {
			for (const id of answer.missing) this.held.delete(id);
			this.queue.unshift(call);
		} else if (answer.ok) call.settle(resultOf(answer.json, answer.durationMs));
		else call.settle({ ok: false, kind: answer.kind, message: answer.message, durationMs: answer.durationMs });
	}

	private patience(): number {
		let least = Number.POSITIVE_INFINITY;
		for (const call of this.flying.values()) least = Math.min(least, call.limits.hardMs);
		return least;
	}

	private watch(afterMs: number): void {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.check(), afterMs);
	}

	/** Kills the thread when the call that runs now is past its hard limit; calls beside it are sent again. */
	private check(): void {
		const index = Atomics.load(this.control, 0);
		const call = index < 0 ? undefined : this.flying.get(this.batchOrder[index] ?? -1);
		const ranMs = ((Date.now() & 0x7fffffff) - Atomics.load(this.control, 1)) & 0x7fffffff;
		if (!this.ready) this.fail("crash", "The thread did not start.");
		else if (!call) this.watch(this.flying.size > 0 ? this.patience() : BOOT_MS);
		else if (ranMs < call.limits.hardMs) this.watch(call.limits.hardMs - ranMs + 1);
		else this.fail("killed", `Stopped after ${call.limits.hardMs} ms by the wall clock.`);
	}

	private fail(kind: SandboxFailureKind, message: string): void {
		clearTimeout(this.timer);
		const worker = this.worker;
		this.worker = undefined;
		this.ready = false;
		void worker?.terminate();
		const index = Atomics.load(this.control, 0);
		const culprit = index < 0 ? undefined : this.batchOrder[index];
		const again: Pending[] = [];
		for (const call of this.flying.values())
			if (call.id === culprit || call.tries >= MAX_TRIES) call.settle({ ok: false, kind, message, durationMs: call.limits.hardMs });
			else again.push(call);
		this.flying.clear();
		this.queue.unshift(...again);
		if (this.queue.length > 0) this.schedule();
	}
}
