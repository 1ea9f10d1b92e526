import { setTimeout as sleep } from "node:timers/promises";
import { followEvent, type Services } from "@/server/composition";
import { databaseFailure } from "@/server/db/failures";
import { announcePresence } from "@/server/db/presence";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { KEEPER_PRESENCE } from "@/server/worker-presence";

const LOOK_MS = 2_000;
const PACK_MS = 3600_000;

type Kept = Pick<Services, "advice" | "db" | "repositories" | "evolution" | "queue" | "triggers" | "workspace">;

async function waitForRepositories({ repositories }: Kept, signal: AbortSignal): Promise<boolean> {
	for (let looks = 0; !signal.aborted; looks++) {
		if (await repositories.isHere().catch(() => false)) return true;
		if (looks === 0) logger.info("no repository of this studio is on this machine: this worker runs episodes and tries only");
		await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
	}
	return false;
}

async function packNowAndThen({ repositories }: Kept, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		await repositories.pack().then(
			(objects) => objects > 0 && logger.info({ objects }, "harness: packed loose objects"),
			(error: unknown) => logger.warn({ error: messageOf(error) }, "harness: repositories were not packed, will try again"),
		);
		await sleep(PACK_MS, undefined, { signal }).catch(() => undefined);
	}
}

/** Tries again while the database does not answer; null when it is told to stop. Throws what is no failure of the database. */
async function untilAnswered<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
	while (!signal.aborted) {
		try {
			return await act();
		} catch (error) {
			if (!databaseFailure(error)) throw error;
			logger.warn({ error: messageOf(error) }, "the database does not answer, will try again");
			await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
		}
	}
	return null;
}

/**
 * What a worker does beside episodes where it stands by the repositories, and leaves to others where it does not: engines'
 * tasks (they read and commit harnesses), what follows events and schedules, packing. Waits until the first repository is there, and ends
 * when the signal aborts.
 */
export async function keepRepositories(services: Kept, databaseUrl: string, signal: AbortSignal): Promise<void> {
	if (!(await waitForRepositories(services, signal))) return;
	// Episodes are under way in this process: a database that is slow for a moment must not end them.
	const working = await untilAnswered(() => services.evolution.work(services.queue).then(() => true), signal);
	const presence = working && (await untilAnswered(() => announcePresence(databaseUrl, KEEPER_PRESENCE), signal));
	if (!presence) return;
	await Promise.all([
		services.workspace.deliverEvents((delivered) => followEvent(services, delivered), signal),
		services.triggers.followSchedules(signal),
		packNowAndThen(services, signal),
	]);
	await presence.end();
}
