import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { logger } from "@/server/kernel/logger";
import { connectionTo } from "./connection";

const CHANNEL = "studio_changes";

/**
 * Live updates over LISTEN / NOTIFY. A notification only says "read the row again": after every (re)connection all
 * subscribers are woken, so nothing is lost when the listener, the database or a writer dies.
 */
export interface Notifier {
	/** Yields once at once, then after every change of one of the keys; bursts are merged. Ends on abort and on `close`. */
	changes(keys: readonly string[], signal: AbortSignal): AsyncGenerator<void>;
	/** Says that what this key names has changed. */
	publish(key: string): Promise<void>;
	close(): Promise<void>;
}

export function createNotifier(url: string): Notifier {
	const events = new EventEmitter().setMaxListeners(0);
	let closing = false;
	let listener: pg.Client | undefined;
	let started = false;
	const publisher = new pg.Pool({ ...connectionTo(url), max: 1, idleTimeoutMillis: 5_000 });
	publisher.on("error", (error) => logger.warn({ error: error.message }, "notifier: publisher lost its connection"));

	async function listen() {
		for (let waitMs = 100; !closing; waitMs = Math.min(waitMs * 2, 5_000)) {
			const client = new pg.Client({ ...connectionTo(url), application_name: "studio-notifier" });
			listener = client;
			try {
				const dead = new Promise<void>((resolve) => {
					client.once("end", () => resolve());
					// A lost connection may report more than one error, and none of them may end the process.
					client.on("error", () => resolve());
				});
				await client.connect();
				client.on("notification", (message) => message.payload && events.emit(message.payload));
				await client.query(`LISTEN ${CHANNEL}`);
				waitMs = 100;
				events.emit("resync");
				await dead;
			} catch (error) {
				if (!closing) logger.warn({ error: (error as Error).message }, "notifier: cannot listen, will try again");
			}
			await client.end().catch(() => undefined);
			if (!closing) await sleep(waitMs);
		}
	}

	return {
		async *changes(keys, signal) {
			if (!started) {
				started = true;
				void listen();
			}
			let dirty = true;
			let wake: () => void = () => undefined;
			const hit = () => {
				dirty = true;
				wake();
			};
			for (const key of [...keys, "resync"]) events.on(key, hit);
			signal.addEventListener("abort", hit);
			try {
				while (!signal.aborted && !closing) {
					if (dirty) {
						dirty = false;
						yield;
					} else {
						await new Promise<void>((resolve) => {
							wake = resolve;
							if (dirty) resolve();
						});
					}
				}
			} finally {
				for (const key of [...keys, "resync"]) events.off(key, hit);
				signal.removeEventListener("abort", hit);
			}
		},
		async publish(key) {
			await publisher
				.query("select pg_notify($1, $2)", [CHANNEL, key])
				.catch((error: Error) => logger.warn({ error: error.message }, "notifier: publish failed"));
		},
		async close() {
			closing = true;
			events.emit("resync");
			await listener?.end().catch(() => undefined);
			await publisher.end().catch(() => undefined);
		},
	};
}
