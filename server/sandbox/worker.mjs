import { parentPort, workerData } from "node:worker_threads";
import { createEngine } from "./engine.mjs";

/** Shared with the pool: [0] index of the call that runs in the current batch (-1: none), [1] when it started. */
const control = new Int32Array(workerData.control);
/** Results wait at most this long for the others of their batch. */
const FLUSH_MS = 5;
const now = () => Date.now() & 0x7fffffff;
const engine = await createEngine();
const texts = new Map();
const MAX_TEXTS = 256;

const textOf = (id) => texts.get(id);

function remember({ id, json }) {
	texts.delete(id);
	texts.set(id, json);
	if (texts.size > MAX_TEXTS) texts.delete(texts.keys().next().value);
}

parentPort.on("message", async ({ batch, calls, data, release }) => {
	for (const item of data) remember(item);
	for (const scope of release) engine.release(scope);
	let results = [];
	let flushedAt = Date.now();
	for (const [index, call] of calls.entries()) {
		// A realm may be rebuilt in the middle of a call, so the texts must be here even when the values are.
		const missing = [...call.shared.map(([, id]) => id), call.dataId].filter((id) => id !== undefined && !texts.has(id));
		if (missing.length > 0) {
			results.push({ id: call.id, missing });
			continue;
		}
		if (results.length > 0 && Date.now() - flushedAt > FLUSH_MS) {
			parentPort.postMessage({ batch, results, done: false });
			results = [];
			flushedAt = Date.now();
		}
		await engine.prepare(call, textOf);
		Atomics.store(control, 1, now());
		Atomics.store(control, 0, index);
		const result = await engine.run(call, textOf);
		Atomics.store(control, 0, -1);
		results.push({ id: call.id, ...result });
	}
	parentPort.postMessage({ batch, results, done: true });
});
parentPort.postMessage({ ready: true });
