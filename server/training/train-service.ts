import { z } from "zod";
import { readCheckpoint } from "@/server/compact";
import type { JobDefinition } from "@/server/jobs/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { recordAudit } from "@/server/workspace";
import { type AblationRequest, performAblation } from "./ablation/perform-ablation";
import { readBaseCheckpoint } from "./checkpoints/read-base";
import type { Recipe, Training, TrainingOptions, TrainingRecord } from "./contract";
import { performTraining } from "./perform-training";
import type { TrainingPorts } from "./ports";
import { HAT_DEFAULTS, settingsWith, type TrainingSettings } from "./stages/settings";
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
	/** Version of the envelope; the one in force unless given. */
	envelope?: number | undefined;
	options?: TrainingOptions;
	requestedById: string;
	/** What `options` change; for tests and experiments. */
	settings?: TrainingSettings;
}

const unknown = () => new AppError("not-found", "There is no such training.", { reason: "training-unknown" });
const taken = () =>
	new AppError("conflict", "A training of this workspace is not over yet.", { reason: "training-running", fix: "Wait until it is done, or cancel it." });

/** Trainings of the compact policy: asked for anywhere, performed by a worker, each ending in a checkpoint that is a policy version. */
export function createTrainingService(ports: TrainingPorts) {
	const { db } = ports;

	async function get(id: string): Promise<Training> {
		const found = await repository.findTraining(db, id);
		if (!found) throw unknown();
		return found;
	}

	/** Says that the workspace's trainings changed: to its list, and to who follows this one. */
	async function publish({ id, workspaceId }: Pick<Training, "id" | "workspaceId">): Promise<void> {
		await Promise.all([ports.publish(trainingKey(id)), ports.publish(`training:${workspaceId}`)]);
	}

	async function audit(action: string, { workspaceId, number, recipe, seed }: Training, byId: string): Promise<void> {
		const name = (await ports.personNames([byId])).get(byId) ?? byId;
		const subject = `training T-${number}`;
		await recordAudit(db, { workspaceId, actor: { id: byId, name }, action, subject, detail: { recipe, seed } });
	}

	async function envelopeOf(workspaceId: string, version: number | undefined) {
		if (version === undefined) return ports.currentEnvelope(workspaceId);
		const found = (await ports.listEnvelopes(workspaceId)).find((one) => one.version === version);
		if (found) return found;
		throw new AppError("not-found", `There is no version ${version} of the envelope.`, { reason: "envelope-unknown", params: { version } });
	}

	return {
		/** Throws `not-found`. */
		get,
		/** The same; throws `not-found` for another workspace's. */
		async getIn(workspaceId: string, id: string): Promise<Training> {
			const found = await get(id);
			if (found.workspaceId === workspaceId) return found;
			throw unknown();
		},
		list: (workspaceId: string) => repository.listTrainings(db, workspaceId),
		/** Points of its curves so far, in order; from the position of one on. */
		records: (id: string, from = 0): Promise<TrainingRecord[]> => repository.listPoints(db, id, from),

		/** What a training does unless it is told otherwise, and whether the general data is here. */
		defaults() {
			const { variants, sft, opd, rl } = HAT_DEFAULTS;
			const defaults = { variants, sftEpochs: sft.epochs, opdSteps: opd.steps, rlIterations: rl.iterations };
			return { defaults, general: ports.generalData() !== null };
		},

		/** Queues a training and returns its id. Throws `conflict` while the workspace has one that is not over, `precondition` without dev cases. */
		async start(input: StartTraining): Promise<string> {
			const { workspaceId, recipe, seed, harness = "main", requestedById, options = {} } = input;
			const settings = settingsWith(options, input.settings);
			const [{ treeId, commit }, suiteVersionId, bundleId, { version, content }] = await Promise.all([
				ports.resolveHarness(workspaceId, harness),
				ports.currentSuiteVersion(workspaceId),
				ports.currentBundle(workspaceId),
				envelopeOf(workspaceId, input.envelope),
			]);
			if ((await ports.readTrainingCases(suiteVersionId)).length === 0)
				throw new AppError("precondition", "There are no dev cases to train on.", { reason: "training-no-cases", fix: "Import cases into the split dev." });
			const source = {
				...{ treeId, commit, suiteVersionId, bundleId },
				baseDigest: readBaseCheckpoint().digest,
				envelope: { version, content },
				generalData: ports.generalData(),
			};
			const id = await repository.insertTraining(db, { workspaceId, recipe, seed, source, options, settings, requestedById });
			if (id === null) throw taken();
			await ports.queue.send(trainingJob, { trainingId: id }, { singletonKey: id });
			const training = await get(id);
			await Promise.all([audit("training.start", training, requestedById), publish(training)]);
			return id;
		},

		/** Stops a training; what it saved is kept, to be gone on with. Nothing happens to one that is over. */
		async cancel(training: Training, byId: string): Promise<void> {
			if (!(await repository.moveTraining(db, training.id, "cancelled"))) return;
			await Promise.all([audit("training.cancel", training, byId), publish(training)]);
		},

		/** Goes on with one that was stopped or failed, from what it saved. Throws `precondition` where that would only fail again, `conflict` while another is not over. */
		async resume(training: Training, byId: string): Promise<void> {
			if (training.error?.reason === "training-diverged" || training.error?.reason === "training-state")
				throw new AppError("precondition", "Going on would end at the same place.", {
					reason: "training-not-resumable",
					fix: "Start another training with other settings or another seed.",
				});
			if (!(await repository.requeueTraining(db, training))) throw taken();
			await ports.queue.send(trainingJob, { trainingId: training.id }, { singletonKey: training.id });
			await Promise.all([audit("training.resume", training, byId), publish(training)]);
		},

		/** A worker's part: performs a queued training, or goes on with one whose worker died. */
		async run(id: string, signal: AbortSignal): Promise<void> {
			const training = await get(id);
			if (!(await repository.moveTraining(db, id, "running"))) return;
			await repository.markStarted(db, id, new Date());
			await publish(training);
			try {
				await repository.moveTraining(db, id, "done", await performTraining(ports, training, signal));
			} catch (error) {
				// A worker that stops leaves the training to the next one.
				if (signal.aborted) throw error;
				if ((await get(id)).status === "cancelled") return;
				const known = error instanceof AppError ? error : null;
				if (!known) logger.error({ err: error, trainingId: id }, "a training failed");
				await repository.moveTraining(db, id, "failed", { error: { reason: known?.reason ?? "internal", message: messageOf(error).slice(0, 500) } });
			}
			await publish(training);
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
