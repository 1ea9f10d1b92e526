import { z } from "zod";
import type { JobDefinition } from "@/server/jobs/contract";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import type { AuditAction } from "@/server/workspace/contract";
import { readBaseCheckpoint } from "./checkpoints/read-base";
import type { Recipe, Training, TrainingOptions } from "./contract";
import type { TrainingPorts } from "./ports";
import { settingsWith, type TrainingSettings } from "./stages/settings";
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

const taken = () =>
	new AppError("conflict", "A training of this workspace is not over yet.", { reason: "training-running", fix: "Wait until it is done, or cancel it." });

/** Throws `not-found`; also for another workspace's, where one is given. */
export async function requireTraining({ db }: TrainingPorts, id: string, workspaceId?: string): Promise<Training> {
	const found = await repository.findTraining(db, id);
	if (!found || (workspaceId !== undefined && found.workspaceId !== workspaceId))
		throw new AppError("not-found", "There is no such training.", { reason: "training-unknown" });
	return found;
}

/** Says that the workspace's trainings changed: to its list, and to who follows this one. */
export async function publishTraining(ports: TrainingPorts, { id, workspaceId }: Pick<Training, "id" | "workspaceId">): Promise<void> {
	await Promise.all([ports.publish(trainingKey(id)), ports.publish(`trainings:${workspaceId}`)]);
}

async function audit(ports: TrainingPorts, action: AuditAction, { workspaceId, number, recipe, seed }: Training, byId: string): Promise<void> {
	const name = (await ports.personNames([byId])).get(byId) ?? byId;
	const subject = `training T-${number}`;
	await recordAudit(ports.db, { workspaceId, actor: { id: byId, name }, action, subject, detail: { recipe, seed } });
}

async function envelopeOf(ports: TrainingPorts, workspaceId: string, version: number | undefined) {
	if (version === undefined) return ports.currentEnvelope(workspaceId);
	const found = (await ports.listEnvelopes(workspaceId)).find((one) => one.version === version);
	if (found) return found;
	throw new AppError("not-found", `There is no version ${version} of the envelope.`, { reason: "envelope-unknown", params: { version } });
}

/** Queues a training and returns its id. Throws `conflict` while the workspace has one that is not over, `precondition` without dev cases. */
export async function startTraining(ports: TrainingPorts, input: StartTraining): Promise<string> {
	const { workspaceId, recipe, seed, harness = "main", requestedById, options = {} } = input;
	const settings = settingsWith(options, input.settings);
	const [{ treeId, commit }, suiteVersionId, bundleId, { version, content }] = await Promise.all([
		ports.resolveHarness(workspaceId, harness),
		ports.currentSuiteVersion(workspaceId),
		ports.currentBundle(workspaceId),
		envelopeOf(ports, workspaceId, input.envelope),
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
	const id = await repository.insertTraining(ports.db, { workspaceId, recipe, seed, source, options, settings, requestedById });
	if (id === null) throw taken();
	await ports.queue.send(trainingJob, { trainingId: id }, { singletonKey: id });
	const training = await requireTraining(ports, id);
	await Promise.all([audit(ports, "training.start", training, requestedById), publishTraining(ports, training)]);
	return id;
}

/** Stops a training; what it saved is kept, to be gone on with. Nothing happens to one that is over. */
export async function cancelTraining(ports: TrainingPorts, training: Training, byId: string): Promise<void> {
	if (!(await repository.moveTraining(ports.db, training.id, "cancelled"))) return;
	await Promise.all([audit(ports, "training.cancel", training, byId), publishTraining(ports, training)]);
}

/** Goes on with one that was stopped or failed, from what it saved. Throws `precondition` where that would only fail again, `conflict` while another is not over. */
export async function resumeTraining(ports: TrainingPorts, training: Training, byId: string): Promise<void> {
	if (training.error?.reason === "training-diverged" || training.error?.reason === "training-state")
		throw new AppError("precondition", "Going on would end at the same place.", {
			reason: "training-not-resumable",
			fix: "Start another training with other settings or another seed.",
		});
	if (!(await repository.requeueTraining(ports.db, training))) throw taken();
	await ports.queue.send(trainingJob, { trainingId: training.id }, { singletonKey: training.id });
	await Promise.all([audit(ports, "training.resume", training, byId), publishTraining(ports, training)]);
}
