import { z } from "zod";
import type { Database } from "@/server/db/client";
import { knownFailure } from "@/server/db/failures";
import type { Harness, HarnessFiles, Room } from "@/server/harness/contract";
import type { JobDefinition, JobQueue } from "@/server/jobs/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";
import type { Policy, Step, ToolExecutor, Try, TryInput, TrySource, TrySummary } from "./contract";
import type { AgentDependencies } from "./ports";
import { runEpisode } from "./run-episode";
import * as repository from "./tries.repository";
import { isTryOver } from "./try-over.contract";

/** Tries that are kept of a person in a workspace. */
const KEEP = 100;
const LIST = 20;

export const tryJob: JobDefinition<{ tryId: string }> = { name: "agent.try", schema: z.object({ tryId: z.string() }), concurrency: 2, retryLimit: 2 };

/** Wakes who follows a try. */
const tryKey = (id: string): string => `try:${id}`;
/** Wakes the worker that computes it. */
const cancelKey = (id: string): string => `try-cancel:${id}`;

export interface TryPorts {
	db: Database;
	queue: Pick<JobQueue, "send">;
	notifier: { publish(key: string): Promise<void>; changes(keys: readonly string[], signal: AbortSignal): AsyncGenerator<void> };
	/** The files to try, validated. Throws `precondition` (`harness-invalid`) with the problems. */
	loadSource(key: { workspaceId: string; userId: string }, source: TrySource): Promise<HarnessFiles>;
	/** Keeps files for workers and returns their tree id. */
	saveSnapshot(files: HarnessFiles): Promise<string>;
	loadHarness(treeId: string): Promise<Harness>;
	currentPolicy(workspaceId: string): Promise<{ id: string; name: string }>;
	namedPolicy(workspaceId: string, name: string): Promise<{ id: string; name: string }>;
	loadPolicy(policyVersionId: string): Promise<Policy>;
	currentBundle(workspaceId: string): Promise<string | null>;
	/** Room and tools of an episode. Throws `bad-input` for a room that is not there. */
	openScene(scene: { workspaceId: string; bundleId: string | null; room: TryInput["room"] }): Promise<{ room: Room; tools: Record<string, ToolExecutor> }>;
	sandbox(): AgentDependencies["sandbox"];
}

type Person = { workspaceId: string; userId: string };

/** A draft's tries are listed together, whatever it held at the time. */
export const sourceName = (source: TrySource): string => (source.kind === "draft" ? `draft:${source.branch}` : `ref:${source.ref}`);

/** Tries of a harness on one message: asked for in the web process, computed by a worker, followed live. */
export function createTryService(ports: TryPorts) {
	const { db, notifier } = ports;

	async function get(person: Person, id: string): Promise<Try> {
		const found = await repository.findTry(db, { id, ...person });
		if (!found)
			throw new AppError("not-found", "There is no such try of yours.", { reason: "try-unknown", fix: "Only the newest tries are kept: try it again." });
		return found;
	}

	return {
		get,

		/** Queues a try and returns its id. Throws what the port's `loadSource` and `openScene` throw, before anything is kept. */
		async start(person: Person, request: { source: TrySource; input: TryInput; policy?: string }): Promise<string> {
			const files = await ports.loadSource(person, request.source);
			const { workspaceId } = person;
			const policy = request.policy ? await ports.namedPolicy(workspaceId, request.policy) : await ports.currentPolicy(workspaceId);
			const bundleId = await ports.currentBundle(workspaceId);
			await ports.openScene({ workspaceId, bundleId, room: request.input.room });
			const id = newId("try");
			const treeId = await ports.saveSnapshot(files);
			const source = sourceName(request.source);
			await repository.insertTry(db, { id, ...person, source, treeId, policyVersionId: policy.id, policyName: policy.name, bundleId, input: request.input });
			await ports.queue.send(tryJob, { tryId: id }, { singletonKey: id });
			await repository.pruneTries(db, person, KEEP);
			return id;
		},

		/** Stops a try; one that is over stays as it is. */
		async cancel(person: Person, id: string): Promise<void> {
			await get(person, id);
			const stopped = await repository.moveTry(db, id, ["queued"], "cancelled", { finishedAt: new Date() });
			if (!stopped) await repository.moveTry(db, id, ["running"], "cancelling");
			await Promise.all([notifier.publish(cancelKey(id)), notifier.publish(tryKey(id))]);
		},

		/** The try now, and again after each step, until it is over. */
		async *follow(person: Person, id: string, signal: AbortSignal): AsyncGenerator<Try> {
			for await (const _ of notifier.changes([tryKey(id)], signal)) {
				const now = await get(person, id);
				yield now;
				if (isTryOver(now.status)) return;
			}
		},

		/** A person's latest tries, of one source or of all. */
		list: (person: Person, source?: TrySource): Promise<TrySummary[]> =>
			repository.listTries(db, { ...person, ...(source ? { source: sourceName(source) } : {}) }, LIST),

		/** A worker's part: computes a queued try, or one whose worker died; anything else is left alone. */
		run: (id: string, signal: AbortSignal): Promise<void> => computeTry(ports, id, signal),
	};
}

export type TryService = ReturnType<typeof createTryService>;

async function computeTry(ports: TryPorts, id: string, signal: AbortSignal): Promise<void> {
	const { db, notifier } = ports;
	if (!(await repository.moveTry(db, id, ["queued", "running"], "running", { steps: [] }))) {
		// Cancelled while its first worker died: nobody is left to finish it.
		if (await repository.moveTry(db, id, ["cancelling"], "cancelled", { finishedAt: new Date() })) await notifier.publish(tryKey(id));
		return;
	}
	const task = await repository.findTryTask(db, id);
	if (!task) return;
	const stop = new AbortController();
	const either = AbortSignal.any([signal, stop.signal]);
	const watching = watchForCancel(ports, id, stop, either);
	const journal = createJournal(ports, id);
	try {
		const [harness, policy, scene] = await Promise.all([
			ports.loadHarness(task.treeId),
			ports.loadPolicy(task.policyVersionId),
			ports.openScene({ workspaceId: task.workspaceId, bundleId: task.bundleId, room: task.input.room }),
		]);
		const { message, history, faults, seed } = task.input;
		const trajectory = await runEpisode(
			{ sandbox: ports.sandbox(), tools: scene.tools },
			{ harness, policy, room: scene.room, message, history, faults, seed, signal: either, onStep: journal.add },
		);
		await journal.end();
		const over = { trajectory, steps: trajectory.steps, finishedAt: new Date() };
		if (!(await repository.moveTry(db, id, ["running"], "done", over))) await repository.moveTry(db, id, ["cancelling"], "cancelled", over);
	} catch (error) {
		await journal.end();
		// The worker stops: another one takes the try over.
		if (signal.aborted) throw error;
		await endWith(ports, id, stop.signal.aborted ? null : error);
	} finally {
		stop.abort();
		await watching;
	}
	await notifier.publish(tryKey(id));
}

/** Ends a try that has no trajectory: cancelled, or failed with an error that may be shown. */
async function endWith({ db }: TryPorts, id: string, error: unknown): Promise<void> {
	if (error === null) {
		await repository.moveTry(db, id, ["running", "cancelling"], "cancelled", { finishedAt: new Date() });
		return;
	}
	const known = knownFailure(error);
	if (known !== error) logger.error({ err: error, tryId: id }, "a try failed inside the studio");
	const shown = known
		? { reason: known.reason, message: known.message, fix: known.fix ?? null, params: known.params }
		: { reason: "internal", message: "Something went wrong inside the studio.", fix: null, params: {} };
	await repository.moveTry(db, id, ["running", "cancelling"], "failed", { error: shown, finishedAt: new Date() });
}

async function watchForCancel({ db, notifier }: TryPorts, id: string, stop: AbortController, signal: AbortSignal): Promise<void> {
	try {
		for await (const _ of notifier.changes([cancelKey(id)], signal)) {
			const task = await repository.findTryTask(db, id);
			if (task?.status === "cancelling" || !task) return stop.abort();
		}
	} catch (error) {
		logger.warn({ error: messageOf(error), tryId: id }, "a try can't be watched for its cancellation");
	}
}

/** Writes steps as they come, one write at a time; what comes during a write goes with the next. */
function createJournal({ db, notifier }: TryPorts, id: string): { add: (step: Step) => void; end: () => Promise<void> } {
	const steps: Step[] = [];
	let written = 0;
	let writing: Promise<void> | null = null;
	const flush = async () => {
		while (written < steps.length) {
			const now = [...steps];
			await repository.saveTrySteps(db, id, now);
			written = now.length;
			await notifier.publish(tryKey(id));
		}
		writing = null;
	};
	const fail = (error: unknown) => {
		writing = null;
		logger.warn({ error: messageOf(error), tryId: id }, "steps of a try can't be written");
	};
	return {
		add(step) {
			steps.push(step);
			writing ??= flush().catch(fail);
		},
		end: async () => {
			for (let now = writing; now !== null; now = writing) await now;
		},
	};
}
