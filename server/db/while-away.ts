import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { databaseFailure } from "./failures";

/** Pauses before each further try: of ours. A restart of PostgreSQL takes seconds. */
const PAUSES_MS = [1_000, 5_000, 20_000];

/**
 * Does `work`, and does it again while the database does not answer, with growing pauses. Throws what else goes wrong, what
 * the last try threw, and the error at hand once `signal` aborts. `work` must be safe to repeat.
 */
export async function patientWithDatabase<T>(work: () => Promise<T>, signal: AbortSignal, pausesMs: readonly number[] = PAUSES_MS): Promise<T> {
	for (let attempt = 0; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			const pause = pausesMs[attempt];
			if (signal.aborted || pause === undefined || !databaseFailure(error)) throw error;
			logger.warn({ error: messageOf(error) }, "the database did not answer, will try again");
			await sleep(pause, undefined, { signal }).catch(() => undefined);
		}
	}
}
