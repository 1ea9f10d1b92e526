import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/server/db/client";
import { knownFailure } from "@/server/db/failures";
import { AppError, messageOf } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger, logWithoutWords } from "@/server/kernel/logger";
import { readOpenCases, type StoredCase } from "../cases/case.repository";
import type { EvaluationPorts } from "../ports";
import { commitResults, type LeasedChunk, leaseChunks, listPresent, MAX_ATTEMPTS, releaseChunks, renewLeases } from "./chunk.repository";
import { executeEpisode, failedEpisode } from "./execute-episode";
import { finishSettledRuns } from "./finish-run";
import { createRunLoader, type LoadedRun } from "./load-run";
import { createResultCommitter } from "./result-committer";
import { findRun, finishRun } from "./run.repository";

const POLL_MS = 500;
const RENEW_MS = 1_500;
const SETTLE_MS = 1_000;
const PUBLISH_MS = 200;
/** Wakes all workers when runs are queued. */
export const RUNS_KEY = "runs:queued";

export interface RunWorkerOptions {
	/** Episodes at once in this process. */
	concurrency?: number;
	/** Yields when runs may have been queued; polling goes on without it. */
	wakeups?: (signal: AbortSignal) => AsyncIterable<void>;
}

interface Task {
	chunk: ActiveChunk;
	loaded: LoadedRun;
	one: StoredCase;
	trial: number;
}

interface ActiveChunk {
	id: string;
	runId: string;
	left: number;
	abort: AbortController;
}

/**
 * Executes the chunks of queued runs until `signal` aborts. Holds each chunk by a lease that it renews; episodes of all
 * chunks share one pool, so that the end of one chunk overlaps the start of the next. Can be killed at any line: what is
 * not committed is done again by whoever takes the lease over.
 */
export class RunWorker {
	readonly owner = newId("wrk");
	private readonly loader;
	private readonly committer;
	private readonly active = new Map<string, ActiveChunk>();
	private readonly queue: Task[] = [];
	private readonly published = new Map<string, number>();
	private readonly concurrency: number;
	private readonly inFlight = new Map<string, number>();
	private running = 0;
	/** Ends the pause between two looks for chunks; `woken` keeps a call that comes while one is under way. */
	private endPause: () => void = () => undefined;
	private woken = false;
	/** The last look found nothing free: only a run that is queued, or time, changes that. */
	private dry = false;

	constructor(
		private readonly db: Database,
		private readonly ports: EvaluationPorts,
		private readonly options: RunWorkerOptions = {},
	) {
		this.concurrency = options.concurrency ?? 50;
		this.loader = createRunLoader(db, ports);
		this.committer = createResultCommitter(
			(runId, rows, chunks) => commitResults(db, runId, rows, chunks),
			(runId) => this.publish(runId, false),
		);
	}

	/** Resolves after `signal` aborted and everything in flight was committed or given back. */
	async run(signal: AbortSignal): Promise<void> {
		const background = [this.every(RENEW_MS, signal, () => this.renew()), this.every(SETTLE_MS, signal, () => this.settle()), this.listen(signal)];
		signal.addEventListener("abort", () => this.wake(), { once: true });
		await rehearse(this.db).catch(() => undefined);
		while (!signal.aborted) {
			this.woken = false;
			const taken = await this.claim().catch((error: unknown) => {
				logger.warn({ error: messageOf(error) }, "evaluation: cannot take chunks, will try again");
				return 0;
			});
			if (taken === 0) await this.pause(signal);
		}
		for (const chunk of this.active.values()) chunk.abort.abort();
		await this.committer.flush();
		await releaseChunks(this.db, this.owner, [...this.active.keys()]).catch(() => undefined);
		await Promise.all(background);
	}

	private async every(ms: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
		while (!signal.aborted) {
			await act().catch((error: unknown) => logger.warn({ error: messageOf(error) }, "evaluation: worker upkeep failed, will try again"));
			await sleep(ms, undefined, { signal }).catch(() => undefined);
		}
	}

	private async listen(signal: AbortSignal): Promise<void> {
		if (!this.options.wakeups) return;
		for await (const _ of this.options.wakeups(signal)) this.wake();
	}

	private wake(): void {
		this.woken = true;
		this.endPause();
	}

	private pause(signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			if (this.woken || signal.aborted) return resolve();
			const timer = setTimeout(resolve, POLL_MS);
			this.endPause = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	/** Takes chunks while fewer episodes wait here than half of what runs at once; more would only be kept from other workers. */
	private async claim(): Promise<number> {
		const room = this.concurrency - this.running + Math.ceil(this.concurrency / 2) - this.queue.length;
		if (room <= 0) return 0;
		const chunks = await leaseChunks(this.db, this.owner, Math.max(1, Math.min(4, Math.ceil(room / CHUNK_EPISODES))), [...this.active.keys()]);
		this.dry = chunks.length === 0;
		await Promise.all(chunks.map((chunk) => this.open(chunk)));
		return chunks.length;
	}

	private async open(leased: LeasedChunk): Promise<void> {
		const chunk: ActiveChunk = { id: leased.id, runId: leased.runId, left: 0, abort: new AbortController() };
		// Every episode of the chunk listens to it.
		setMaxListeners(0, chunk.abort.signal);
		this.active.set(chunk.id, chunk);
		try {
			const loaded = await this.loader.get(leased.runId);
			const [cases, present] = await Promise.all([
				loaded.readCases(leased.caseIds),
				leased.attempt > 1 ? listPresent(this.db, leased.runId, leased.caseIds) : new Set<string>(),
			]);
			const tasks = cases.flatMap((one) =>
				Array.from({ length: loaded.run.trials }, (_, trial) => ({ chunk, loaded, one, trial })).filter(({ trial }) => !present.has(`${one.id}/${trial}`)),
			);
			chunk.left = tasks.length;
			if (leased.attempt > MAX_ATTEMPTS) {
				// It killed its workers too often to be tried again.
				for (const { one, trial } of tasks)
					this.committer.add(failedEpisode(loaded, one, trial, new AppError("unavailable", `${MAX_ATTEMPTS} workers died on this part of the run.`)));
				chunk.left = 0;
			}
			if (chunk.left === 0) this.close(chunk);
			else this.queue.push(...tasks);
			this.pump();
		} catch (error) {
			const known = knownFailure(error);
			const final = !known && leased.attempt > MAX_ATTEMPTS;
			await this.failRun(chunk, known ?? (final ? new AppError("internal", "The run could not be prepared; the log says why.", { cause: error }) : error));
		}
	}

	/** The next task whose run may have one more in flight; aborted ones fall out on the way. */
	private next(): Task | null {
		for (let i = 0; i < this.queue.length; i++) {
			const task = this.queue[i] as Task;
			if (!task.chunk.abort.signal.aborted && (this.inFlight.get(task.chunk.runId) ?? 0) >= task.loaded.prepared.parallel) continue;
			this.queue.splice(i, 1);
			if (!task.chunk.abort.signal.aborted) return task;
			i--;
		}
		return null;
	}

	private count(runId: string, by: 1 | -1): void {
		this.running += by;
		const left = (this.inFlight.get(runId) ?? 0) + by;
		if (left === 0) this.inFlight.delete(runId);
		else this.inFlight.set(runId, left);
	}

	private pump(): void {
		while (this.running < this.concurrency) {
			const task = this.next();
			if (!task) return;
			this.count(task.chunk.runId, 1);
			void this.perform(task).finally(() => {
				this.count(task.chunk.runId, -1);
				this.pump();
				if (!this.dry && this.queue.length < this.concurrency / 2) this.wake();
			});
		}
	}

	private perform(task: Task): Promise<void> {
		return task.loaded.sealed ? logWithoutWords(() => this.execute(task)) : this.execute(task);
	}

	private async execute({ chunk, loaded, one, trial }: Task): Promise<void> {
		const { signal } = chunk.abort;
		// A policy that never waits would otherwise keep timers (the leases!) from running.
		await new Promise((resolve) => setImmediate(resolve));
		try {
			this.committer.add(await executeEpisode(loaded, one, trial, signal));
		} catch (error) {
			if (signal.aborted) return;
			if (error instanceof AppError && error.code === "precondition") {
				await this.failRun(chunk, loaded.sealed ? withoutWords(error) : error);
				return;
			}
			logger.error({ runId: chunk.runId, caseId: one.id, err: error }, "evaluation: an episode could not be run");
			this.committer.add(failedEpisode(loaded, one, trial, error));
		}
		if (--chunk.left === 0 && !signal.aborted) this.close(chunk);
	}

	private close(chunk: ActiveChunk): void {
		this.committer.chunkDone(chunk.runId, chunk.id);
		void this.committer.flush().then(async () => {
			this.active.delete(chunk.id);
			await this.settle().catch(() => undefined);
		});
	}

	/** The run cannot be executed as it stands: it ends with the reason, and can be resumed when that is mended. */
	private async failRun(chunk: ActiveChunk, error: unknown): Promise<void> {
		chunk.abort.abort();
		this.active.delete(chunk.id);
		this.loader.forget(chunk.runId);
		const known = error instanceof AppError;
		if (!known) logger.error({ runId: chunk.runId, err: error }, "evaluation: a run could not be prepared");
		// A database that is away is no fault of the run: the lease ends, and the chunk is tried again.
		if (!known || error.code === "unavailable") return;
		const run = await findRun(this.db, chunk.runId).catch(() => null);
		if (run && (await finishRun(this.db, run, ["queued", "running"], { status: "failed", error }))) this.publish(chunk.runId, true);
		await releaseChunks(this.db, this.owner, [chunk.id]).catch(() => undefined);
	}

	/** Renews what is held; what is no longer ours (cancelled, or taken over after a long pause) is dropped. */
	private async renew(): Promise<void> {
		if (this.active.size === 0) return;
		const held = [...this.active.values()];
		const mine = new Set(await renewLeases(this.db, this.owner));
		const lost = held.filter((chunk) => !mine.has(chunk.id) && this.active.has(chunk.id) && chunk.left > 0);
		for (const chunk of lost) {
			chunk.abort.abort();
			this.active.delete(chunk.id);
		}
		if (lost.length === 0) return;
		await releaseChunks(
			this.db,
			this.owner,
			lost.map((chunk) => chunk.id),
		);
		await this.settle();
	}

	private async settle(): Promise<void> {
		for (const id of await finishSettledRuns(this.db)) {
			this.loader.forget(id);
			this.publish(id, true);
		}
	}

	/** Says that a run moved: at most a few times a second, and always at its end. */
	private publish(runId: string, now: boolean): void {
		const last = this.published.get(runId) ?? 0;
		if (!now && Date.now() - last < PUBLISH_MS) return;
		this.published.set(runId, Date.now());
		if (now) this.published.delete(runId);
		void this.ports.publish(`run:${runId}`).catch(() => undefined);
	}
}

/** Asks what a run asks, for no run: the database client prepares each kind of query once, and the first run need not wait for it. */
const rehearse = (db: Database) => Promise.all([findRun(db, ""), readOpenCases(db, "", "dev", []), listPresent(db, "", []), commitResults(db, "", [], [])]);

/** Episodes that one chunk holds, about. */
export const CHUNK_EPISODES = 25;

/** The reason of a sealed run's failure, which people read: what a case is made of may stand in the words. */
const withoutWords = ({ code, reason }: AppError): AppError =>
	new AppError(code, `A case of the holdout cannot be run: ${reason}.`, { reason: "holdout-case-fault", params: { fault: reason } });
