import PgBoss from "pg-boss";
import { connectionTo } from "@/server/db/connection";
import { messageOf } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";
import type { JobDefinition, JobQueue } from "./contract";
import { createJobLocks } from "./job-locks";

const POLL_SECONDS = 0.5;
const SWEEP_MS = 2_000;
/** The last resort; a dead process is noticed by its locks long before. */
const EXPIRE_SECONDS = 12 * 3600;
const STOP_MS = 5_000;

/** Making a queue locks pg-boss's table of queues from two sides: after a deadlock with another process it is tried again. */
async function makeQueue<T>(boss: PgBoss, { name, retryLimit }: JobDefinition<T>): Promise<void> {
	for (let tries = 0; ; tries++) {
		try {
			// "short": at most one waiting job per singleton key.
			await boss.createQueue(name, { name, policy: "short", retryLimit, retryDelay: 1, retryBackoff: true });
			return;
		} catch (error) {
			if ((error as { code?: unknown }).code !== "40P01" || tries >= 5) throw error;
		}
	}
}

function createBoss(url: string): PgBoss {
	const boss = new PgBoss({ ...connectionTo(url), application_name: "studio-queue", max: 4, expireInSeconds: EXPIRE_SECONDS, schedule: false });
	return boss.on("error", (error) => logger.warn({ error: messageOf(error) }, "jobs: queue error"));
}

/**
 * The queue of this database. Connects when it is first used, so that a process that only reads pays nothing. `stop`
 * aborts running handlers, waits a few seconds for them, and leaves what did not end to another worker. `known` are all
 * kinds of this release: what a worker leaves to others is not taken for a job that nobody knows.
 */
export function createJobQueue(url: string, known: readonly { name: string }[] = []): JobQueue {
	let boss = createBoss(url);
	const locks = createJobLocks(url);
	const queues = new Map<string, Promise<void>>();
	const workers = new Map<string, string[]>();
	const running = new Set<Promise<void>>();
	const stopping = new AbortController();
	let starting: Promise<PgBoss> | undefined;
	let making: Promise<void> = Promise.resolve();
	let sweeper: NodeJS.Timeout | undefined;

	const start = () =>
		(starting ??= boss.start().catch((error: unknown) => {
			// One that could not start never will: the next who needs the queue gets a new one.
			starting = undefined;
			boss = createBoss(url);
			throw error;
		}));

	function ensureQueue<T>(definition: JobDefinition<T>): Promise<void> {
		const existing = queues.get(definition.name);
		if (existing !== undefined) return existing;
		const made = making.then(start).then(() => makeQueue(boss, definition));
		making = made.catch(() => undefined);
		// One that could not be made is tried again by the next who needs it.
		made.catch(() => queues.delete(definition.name));
		queues.set(definition.name, made);
		return made;
	}

	async function sweep() {
		try {
			await locks.reclaim();
			await locks.dropUnknown([...known.map(({ name }) => name), ...workers.keys()]);
		} catch (error) {
			logger.warn({ error: messageOf(error) }, "jobs: sweep failed, will try again");
		}
	}

	async function handle<T>(definition: JobDefinition<T>, job: PgBoss.Job<object>, handler: (payload: T, signal: AbortSignal) => Promise<void>) {
		const parsed = definition.schema.safeParse(job.data);
		if (!parsed.success) {
			logger.error({ name: definition.name, job: job.id }, "jobs: payload is not valid, dropped");
			return;
		}
		try {
			await locks.acquire(job.id);
			await handler(parsed.data, stopping.signal);
		} catch (error) {
			logger.warn({ name: definition.name, job: job.id, err: error }, "jobs: handler failed");
			throw error;
		} finally {
			await locks.release(job.id);
		}
	}

	return {
		async send(definition, payload, options = {}) {
			const data = definition.schema.parse(payload) as object;
			await ensureQueue(definition);
			await boss.send(definition.name, data, {
				singletonKey: options.singletonKey ?? newId("job"),
				...(options.startAfterMs ? { startAfter: new Date(Date.now() + options.startAfterMs) } : {}),
			});
			// A worker in this very process need not wait for its next poll.
			for (const id of workers.get(definition.name) ?? []) boss.notifyWorker(id);
		},
		async work(definition, handler) {
			await ensureQueue(definition);
			const ids = await Promise.all(
				Array.from({ length: definition.concurrency }, () =>
					boss.work<object>(definition.name, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, async ([job]) => {
						if (!job) return;
						const work = handle(definition, job, handler);
						const settled = work.then(
							() => undefined,
							() => undefined,
						);
						running.add(settled);
						void settled.then(() => running.delete(settled));
						await work;
					}),
				),
			);
			workers.set(definition.name, ids);
			sweeper ??= setInterval(() => void sweep(), SWEEP_MS).unref();
		},
		async stop() {
			stopping.abort();
			clearInterval(sweeper);
			if (starting !== undefined) {
				await starting.catch(() => undefined);
				await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
				await boss.stop({ graceful: true, wait: true, timeout: STOP_MS });
			}
			await locks.close();
		},
	};
}
