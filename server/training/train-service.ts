import { z } from "zod";
import { readCheckpoint } from "@/server/compact";
import type { JobDefinition } from "@/server/jobs/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { type AblationRequest, performAblation } from "./ablation/perform-ablation";
import { readBaseCheckpoint } from "./checkpoints/read-base";
import type { Recipe, Training, TrainingRecord } from "./contract";
import { performTraining } from "./perform-training";
import type { TrainingPorts } from "./ports";
import { HAT_DEFAULTS, type TrainingSettings } from "./stages/settings";
import * as repository from "./training.repository";
import { trainingKey } from "./training-key";

/** One at a time in a worker, since a training uses a whole core; taken over when its process dies. */
export const trainingJob: JobDefinition<{ trainingId: string }> = {
	name: "training",
	schema: z.object({ trainingId: z.string() }),
	concurrency: 1,
	retryLimit: 10,
};

export interface StartTraining {
	workspaceId: string;
	recipe: Recipe;
	seed: number;
	/** Ref, commit or tree; `main` unless given. */
	harness?: string;
	requestedById: string;
	settings?: TrainingSettings;
}

/** Trainings of the compact policy: asked for anywhere, performed by a worker, each ending in a checkpoint that is a policy version. */
export function createTrainingService(ports: TrainingPorts) {
	const { db } = ports;

	async function get(id: string): Promise<Training> {
		const found = await repository.findTraining(db, id);
		if (!found) throw new AppError("not-found", "There is no such training.", { reason: "training-unknown" });
		return found;
	}

	return {
		/** Throws `not-found`. */
		get,
		list: (workspaceId: string) => repository.listTrainings(db, workspaceId),
		/** Points of its curves so far, in order. */
		records: (id: string): Promise<TrainingRecord[]> => repository.listPoints(db, id),

		/** Queues a training and returns its id. Throws `conflict` while the workspace has one that is not over, `precondition` without dev cases. */
		async start({ workspaceId, recipe, seed, harness = "main", requestedById, settings = HAT_DEFAULTS }: StartTraining): Promise<string> {
			const [{ treeId, commit }, suiteVersionId, bundleId, { version, content }] = await Promise.all([
				ports.resolveHarness(workspaceId, harness),
				ports.currentSuiteVersion(workspaceId),
				ports.currentBundle(workspaceId),
				ports.currentEnvelope(workspaceId),
			]);
			const { dev, pool } = await ports.readTrainingCases(suiteVersionId);
			if (dev.length + pool.length === 0)
				throw new AppError("precondition", "There are no dev cases to train on.", { reason: "training-no-cases", fix: "Import cases into the split dev." });
			const source = {
				...{ treeId, commit, suiteVersionId, bundleId },
				baseDigest: readBaseCheckpoint().digest,
				envelope: { version, content },
				generalData: ports.generalData(),
			};
			const id = await repository.insertTraining(db, { workspaceId, recipe, seed, source, settings, requestedById });
			if (id === null)
				throw new AppError("conflict", "A training of this workspace is not over yet.", { reason: "training-running", fix: "Wait until it is done." });
			await ports.queue.send(trainingJob, { trainingId: id }, { singletonKey: id });
			return id;
		},

		/** A worker's part: performs a queued training, or goes on with one whose worker died. */
		async run(id: string, signal: AbortSignal): Promise<void> {
			const training = await get(id);
			if (!(await repository.moveTraining(db, id, "running"))) return;
			await ports.publish(trainingKey(id));
			try {
				const checkpointId = await performTraining(ports, training, signal);
				await repository.moveTraining(db, id, "done", { checkpointId });
			} catch (error) {
				// A worker that stops leaves the training to the next one.
				if (signal.aborted) throw error;
				const known = error instanceof AppError ? error : null;
				if (!known) logger.error({ err: error, trainingId: id }, "a training failed");
				await repository.moveTraining(db, id, "failed", { error: { reason: known?.reason ?? "internal", message: messageOf(error).slice(0, 500) } });
			}
			await ports.publish(trainingKey(id));
		},

		/** Lets this process perform trainings. */
		work(): Promise<void> {
			return ports.queue.work(trainingJob, ({ trainingId }, signal) => this.run(trainingId, signal));
		},

		/** The table of every recipe and stage on the workspace's test cases. For the command line: minutes of a whole core. */
		ablate: (request: AblationRequest) => performAblation(ports, request),

		/** Weights of a checkpoint. Throws `not-found`, and `bad-input` for bytes that are none. */
		async loadCheckpoint(id: string) {
			const bytes = await repository.findCheckpointBytes(db, id);
			if (!bytes) throw new AppError("not-found", "There is no such checkpoint.", { reason: "checkpoint-unknown" });
			return readCheckpoint(bytes);
		},
	};
}

export type TrainingService = ReturnType<typeof createTrainingService>;
