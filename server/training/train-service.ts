import { envelopeProblems } from "@/server/augmentation";
import { readCheckpoint } from "@/server/compact";
import { knownFailure } from "@/server/db/failures";
import { AppError, messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { PolicyNameSchema } from "@/server/policies/contract";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import { createAblationService } from "./ablation/ablation-service";
import { type AblationRequest, performAblation } from "./ablation/perform-ablation";
import { type EditTestRequest, performEditTest } from "./ablation/perform-edit-test";
import { performRoads, type RoadsRequest } from "./ablation/perform-roads";
import { type CheckpointFile, keepCheckpoint } from "./checkpoints/keep-checkpoint";
import { removeCheckpoint } from "./checkpoints/remove-checkpoint";
import { type CheckpointOrigin, CheckpointOriginSchema, type Training, type TrainingRecord } from "./contract";
import { performTraining } from "./perform-training";
import type { TrainingPorts } from "./ports";
import { HAT_DEFAULTS } from "./stages/settings";
import { cancelTraining, publishTraining, requireTraining, resumeTraining, type StartTraining, startTraining, trainingJob } from "./start-training";
import * as repository from "./training.repository";

/** Trainings of the compact policy: asked for anywhere, performed by a worker, each ending in a checkpoint that is a policy version. */
export function createTrainingService(ports: TrainingPorts) {
	const { db } = ports;
	const ablations = createAblationService(ports);

	async function readCheckpointFile(id: string): Promise<Uint8Array> {
		const bytes = await repository.findCheckpointBytes(db, id);
		if (!bytes) throw new AppError("not-found", "There is no such checkpoint.", { reason: "checkpoint-unknown" });
		return bytes;
	}

	return {
		/** Ablations of a workspace, as the page shows them. */
		ablations,

		/** Throws `not-found`. */
		get: (id: string) => requireTraining(ports, id),
		/** The same; throws `not-found` for another workspace's. */
		getIn: (workspaceId: string, id: string) => requireTraining(ports, id, workspaceId),
		list: (workspaceId: string) => repository.listTrainings(db, workspaceId),
		/** Points of its curves so far, in order; from the position of one on. */
		records: (id: string, from = 0): Promise<TrainingRecord[]> => repository.listPoints(db, id, from),

		/** What a training does unless it is told otherwise, and whether the general data is here. */
		defaults() {
			const { variants, sft, opd, rl } = HAT_DEFAULTS;
			const defaults = { variants, sftEpochs: sft.epochs, opdSteps: opd.steps, rlIterations: rl.iterations };
			return { defaults, general: ports.generalData() !== null };
		},

		start: (input: StartTraining) => startTraining(ports, input),
		cancel: (training: Training, byId: string) => cancelTraining(ports, training, byId),
		resume: (training: Training, byId: string) => resumeTraining(ports, training, byId),

		/** A worker's part: performs a queued training, or goes on with one whose worker died. */
		async run(id: string, signal: AbortSignal): Promise<void> {
			const training = await requireTraining(ports, id);
			if (!(await repository.moveTraining(db, id, "running"))) return;
			await repository.markStarted(db, id, new Date());
			await publishTraining(ports, training);
			try {
				await repository.moveTraining(db, id, "done", await performTraining(ports, training, signal));
			} catch (error) {
				// A worker that stops leaves the training to the next one.
				if (signal.aborted) throw error;
				if ((await requireTraining(ports, id)).status === "cancelled") return;
				const known = knownFailure(error);
				if (known !== error) logger.error({ err: error, trainingId: id }, "a training failed");
				await repository.moveTraining(db, id, "failed", { error: { reason: known?.reason ?? "internal", message: messageOf(known ?? error).slice(0, 500) } });
			}
			await publishTraining(ports, training);
		},

		/** Lets this process perform trainings and ablations. */
		async work(): Promise<void> {
			await Promise.all([ports.queue.work(trainingJob, ({ trainingId }, signal) => this.run(trainingId, signal)), ablations.work()]);
		},

		/** The table of every recipe and stage on the workspace's test cases. For the command line: minutes of a whole core. */
		ablate: (request: AblationRequest) => performAblation(ports, request),
		/** What an edited harness does to the errors of policies that were trained before the edit. For the command line too. */
		editTest: (request: EditTestRequest) => performEditTest(ports, request),
		/** One HAT training beside the other ways to live with edits. For the command line too. */
		compareRoads: (request: RoadsRequest) => performRoads(ports, request),

		/** Keeps a checkpoint that was made elsewhere, as a policy version. Throws `bad-input` for bytes that are none. */
		async importCheckpoint(file: CheckpointFile, actor: Actor) {
			const name = PolicyNameSchema.safeParse(file.name);
			if (!name.success)
				throw new AppError("bad-input", `“${file.name.slice(0, 80)}” cannot name a policy version.`, {
					reason: "policy-name-bad",
					params: { name: file.name.slice(0, 80) },
					fix: "Take letters, digits, spaces, dots, hyphens, underscores and brackets, 60 at most; compact and current have a meaning already.",
				});
			const kept = await keepCheckpoint(ports, { ...file, name: name.data });
			const subject = `policy ${kept.version.name}`;
			await recordAudit(db, { workspaceId: file.workspaceId, actor, action: "policy.import", subject, detail: { checkpoint: kept.checkpointId } });
			return kept;
		},
		/** Removes an imported checkpoint that nothing refers to. */
		removeCheckpoint: (input: Parameters<typeof removeCheckpoint>[1]) => removeCheckpoint(ports, input),
		/** The file of a checkpoint, as `importCheckpoint` takes it. Throws `not-found`. */
		readCheckpointFile,
		/** What a checkpoint's file says of where it comes from, as far as it can be: an envelope with impossible ranges says nothing. Throws `bad-input` for bytes that are none. */
		readOrigin(bytes: Uint8Array): CheckpointOrigin {
			const origin = CheckpointOriginSchema.parse({ recipe: null, seed: null, card: null, source: null, ...readCheckpoint(bytes).made });
			const possible = origin.source && envelopeProblems(origin.source.envelope.content).length === 0;
			return { ...origin, source: possible ? origin.source : null };
		},
		/** Weights of a checkpoint. Throws `not-found`, and `bad-input` for bytes that are none. */
		loadCheckpoint: async (id: string) => readCheckpoint(await readCheckpointFile(id)),
	};
}

export type TrainingService = ReturnType<typeof createTrainingService>;
