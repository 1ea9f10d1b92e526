import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import type { TriggerDeps } from "./ports";
import { readCron } from "./read-cron";
import { listDue, moveDue } from "./trigger.repository";

/** How late a schedule may be. A number of ours: cron lines count minutes. */
const LOOK_MS = 5_000;

/** Writes the event of each schedule that is due, and moves it on. Times that passed while nothing ran are one event, not many. */
export async function tickSchedules({ db, clock }: Pick<TriggerDeps, "db" | "clock">): Promise<void> {
	const now = clock.now();
	for (const trigger of await listDue(db, now)) {
		const next = trigger.content.schedule && readCron(trigger.content.schedule).next(now);
		await db.$transaction((tx) => moveDue(tx, trigger, next));
	}
}

/** The worker's loop over schedules, until aborted. Any number of workers may run it. */
export async function followSchedules(deps: Pick<TriggerDeps, "db" | "clock">, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		await tickSchedules(deps).catch((error: unknown) => logger.warn({ error: messageOf(error) }, "triggers: schedules were not looked at, will try again"));
		await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
	}
}
