import { closeServices, createServices, type Services, workOnRuns, workOnTries } from "@/server/composition";
import { databaseFailure } from "@/server/db/failures";
import { announcePresence } from "@/server/db/presence";
import { waitForDatabase } from "@/server/db/wait-for-database";
import { keepRepositories } from "@/server/keep-repositories";
import { env } from "@/server/kernel/env";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { shutdownSignal } from "@/server/kernel/shutdown";
import { WORKER_PRESENCE } from "@/server/worker-presence";

/** Connects everything, again from the start where a busy database does not answer in time; null when it is told to stop. */
async function open(databaseUrl: string, signal: AbortSignal) {
	for (;;) {
		await waitForDatabase(databaseUrl, signal);
		if (signal.aborted) return null;
		let services: Services | undefined;
		let presence: Awaited<ReturnType<typeof announcePresence>> | undefined;
		try {
			services = await createServices({ databaseUrl, connections: 8 });
			presence = await announcePresence(databaseUrl, WORKER_PRESENCE);
			await Promise.all([workOnTries(services), services.training.work(), services.triggers.work()]);
			return { services, presence };
		} catch (error) {
			await presence?.end();
			if (services) await closeServices(services).catch(() => undefined);
			if (!databaseFailure(error)) throw error;
			logger.warn({ error: messageOf(error) }, "the database does not answer yet; connecting again");
		}
	}
}

/**
 * `npm run worker`: runs episodes and tries until it is told to stop; on the machine that has the repositories also
 * diagnosis, edits and what follows events. Any number may point at one database, which may go away and come back. Can be
 * killed at any line.
 */
async function main(): Promise<void> {
	const databaseUrl = env().DATABASE_URL;
	if (!databaseUrl) throw new Error("DATABASE_URL is not set: use npm start, or point it at the studio's database.");
	const signal = shutdownSignal();
	// The queue's own writes about a job that is over: while the database is away they fail with nobody to hear of it.
	process.on("unhandledRejection", (error) => {
		if (!databaseFailure(error)) throw error;
		logger.warn({ error: messageOf(error) }, "the database did not answer");
	});
	const opened = await open(databaseUrl, signal);
	if (!opened) return;
	const { services, presence } = opened;
	const loops = [workOnRuns(services, signal), keepRepositories(services, databaseUrl, signal)];
	logger.info("worker ready");
	await Promise.all(loops);
	await presence.end();
	await closeServices(services);
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		logger.error({ err: error }, `the worker cannot run: ${messageOf(error)}`);
		process.exit(1);
	},
);
