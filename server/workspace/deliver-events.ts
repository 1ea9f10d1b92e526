import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/server/db/client";
import type { Notifier } from "@/server/db/notifier";
import { AppError, type ErrorCode, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import type { DeliveredEvent } from "./contract";
import { lockNextEvent, markDelivered } from "./outbox.repository";

export type EventHandler = (event: DeliveredEvent) => Promise<void>;

const PERMANENT: readonly ErrorCode[] = ["not-found", "bad-input", "precondition", "conflict", "forbidden"];
const isPermanent = (error: unknown) => error instanceof AppError && PERMANENT.includes(error.code);

const TRANSACTION_MS = 60_000;
const POLL_MS = 500;
const RETRY_MS = 5_000;

/**
 * Delivers what waits, oldest first within each workspace, and returns how many were delivered. An event counts as
 * delivered only after its handler resolved: a handler that dies at any line sees the event again. One that throws keeps
 * its workspace's later events waiting, until the next round; other workspaces go on. An AppError that no repetition can
 * mend (what it speaks of is gone, or in another state) sets the event aside, so that one bad event stops nothing.
 */
export async function deliverPending(db: Database, handler: EventHandler): Promise<{ delivered: number; failed: number }> {
	const failed: string[] = [];
	for (let delivered = 0; ; delivered++) {
		let current: DeliveredEvent | "unreadable" | null = null;
		try {
			current = await db.$transaction(
				async (tx) => {
					const next = await lockNextEvent(tx, failed);
					current = next;
					if (next === null || next === "unreadable") return next;
					await handler(next).catch((error) => {
						if (!isPermanent(error)) throw error;
						logger.error({ error: messageOf(error), type: next.event.type, id: next.id }, "outbox: an event can't be handled and was set aside");
					});
					await markDelivered(tx, next.id);
					return next;
				},
				{ timeout: TRANSACTION_MS, maxWait: 10_000 },
			);
			if (current === null) return { delivered, failed: failed.length };
			if (current === "unreadable") logger.error("outbox: dropped an event that this version cannot read");
		} catch (error) {
			const event = current as DeliveredEvent | null;
			if (!event) throw error; // the database, not a handler
			logger.warn({ error: messageOf(error), type: event.event.type, id: event.id }, "outbox: a handler failed, the event will be delivered again");
			failed.push(event.id);
			delivered--;
		}
	}
}

/** Delivers until aborted: at once after `outbox` was notified, else by polling. The database may go away and come back. */
export async function deliverEvents(db: Database, notifier: Notifier | null, handler: EventHandler, signal: AbortSignal): Promise<void> {
	const woken = new AbortController();
	let wake: (() => void) | undefined;
	if (notifier) void wakeOnChange(notifier, AbortSignal.any([signal, woken.signal]), () => wake?.());
	while (!signal.aborted) {
		let pauseMs = POLL_MS;
		try {
			const { failed } = await deliverPending(db, handler);
			if (failed > 0) pauseMs = RETRY_MS;
		} catch (error) {
			logger.warn({ error: messageOf(error) }, "outbox: the database does not answer, will try again");
			pauseMs = RETRY_MS;
		}
		const pause = new AbortController();
		wake = () => pause.abort();
		await sleep(pauseMs, undefined, { signal: AbortSignal.any([signal, pause.signal]) }).catch(() => undefined);
	}
	woken.abort();
}

async function wakeOnChange(notifier: Notifier, signal: AbortSignal, wake: () => void): Promise<void> {
	for await (const _ of notifier.changes(["outbox"], signal)) wake();
}
