import { readCheckpoint, writeCheckpoint } from "@/server/compact";
import { readBaseCheckpoint } from "./checkpoints/read-base";
import type { DataCard, Training, TrainingProgress, TrainingRecord } from "./contract";
import type { SftCounts } from "./datasets/build-sft-set";
import { divideCases } from "./datasets/split-cases";
import type { TrainingPorts } from "./ports";
import { partOf } from "./pretrain/pose-items";
import { readGeneralData } from "./pretrain/read-general-data";
import { openStages } from "./rollouts/open-stages";
import { createRewardJudge, requireOtherJudge } from "./rollouts/reward-judge";
import { runTraining } from "./stages/run-training";
import { HAT_DEFAULTS, type TrainingSettings } from "./stages/settings";
import { readState, writeState } from "./stages/state-codec";
import * as repository from "./training.repository";
import { trainingKey } from "./training-key";

/** Records are written about once a second, and with every saved state. */
const WRITE_EVERY_MS = 1000;

/** Writes what a training tells, and stops it when a person did. */
class Journal {
	private waiting: TrainingRecord[] = [];

	private writtenAt = 0;
	private readonly stop = new AbortController();
	/** Aborts with the worker, or when the training was cancelled. */
	readonly signal: AbortSignal;

	constructor(
		private readonly ports: TrainingPorts,
		private readonly id: string,
		public position: number,
		private progress: TrainingProgress,
		signal: AbortSignal,
	) {
		this.signal = AbortSignal.any([signal, this.stop.signal]);
	}

	async add(record: TrainingRecord): Promise<void> {
		this.waiting.push(record);
		await this.writeNowAndThen();
	}

	/** What is new of the progress; written at once where somebody waits for it. */
	async note(news: Partial<TrainingProgress>, atOnce = false): Promise<void> {
		this.progress = { ...this.progress, ...news };
		await (atOnce ? this.write() : this.writeNowAndThen());
	}

	private async writeNowAndThen(): Promise<void> {
		if (Date.now() - this.writtenAt > WRITE_EVERY_MS) await this.write();
	}

	async write(): Promise<void> {
		this.writtenAt = Date.now();
		if (!(await repository.noteProgress(this.ports.db, this.id, this.progress))) {
			this.stop.abort();
			return;
		}
		if (this.waiting.length > 0) await repository.writePoints(this.ports.db, this.id, this.position, this.waiting);
		this.position += this.waiting.length;
		this.waiting = [];
		await this.ports.publish(trainingKey(this.id));
	}
}

/** Performs a training from where it stands to its checkpoint, and registers that as a policy version. */
export async function performTraining(
	ports: TrainingPorts,
	training: Training,
	signal: AbortSignal,
): Promise<{ checkpointId: string; policyVersionId: string }> {
	const { db } = ports;
	const { id, workspaceId, recipe, seed, source } = training;
	const work = await repository.findTrainingWork(db, id);
	const settings = (work?.settings ?? HAT_DEFAULTS) as TrainingSettings;
	const base = readBaseCheckpoint();
	const state = work?.state ? readState(work.state, base.parameters) : null;
	const [scene, judges, stages, cases] = await Promise.all([
		ports.openScene(workspaceId, source.bundleId, source.suiteVersionId),
		ports.judges(workspaceId),
		openStages(ports, { treeId: source.treeId, envelope: source.envelope.content, seed, variants: recipe === "hat" ? settings.variants : 0 }),
		ports.readTrainingCases(source.suiteVersionId),
	]);
	const rewardJudge = createRewardJudge(judges.rubric);
	requireOtherJudge(rewardJudge, judges.evaluation.fingerprint);
	const shares = divideCases(cases);
	const cardOf = ({ cases: _cases, stages: _stages, ...counts }: SftCounts): DataCard => ({
		...counts,
		cases: { sft: shares.sft.length, rl: shares.rl.length, sample: shares.sample.length },
		treeId: source.treeId,
		commit: source.commit,
		variants: stages.length - 1,
		envelope: stages.length > 1 ? source.envelope.version : null,
		rewardJudge: rewardJudge.describe().fingerprint,
		evaluationJudge: judges.evaluation.name,
		teacher: "oracle",
		general: source.generalData !== null,
	});
	const total = shares.sft.length;
	const progress = training.progress ?? { start: null, cases: { done: 0, total }, stages: [] };
	const journal = new Journal(ports, id, state?.position ?? 0, progress, signal);
	const result = await runTraining({
		base: base.parameters,
		cases: shares,
		stages,
		general: source.generalData === null ? null : partOf(readGeneralData(source.generalData), "train"),
		playground: { ...scene, rewardJudge },
		settings,
		seed,
		signal: journal.signal,
		state,
		onStart: (start) => journal.note({ start }, true),
		onCase: (done) => journal.note({ cases: { done, total } }),
		onPlan: (plan) => journal.note({ cases: { done: total, total }, stages: plan }, true),
		onRecord: (record) => journal.add(record),
		async onSave(saved) {
			await journal.write();
			await repository.saveTrainingState(db, id, writeState(saved, base.parameters, journal.position));
		},
		async onData(counts) {
			await repository.moveTraining(db, id, "running", { card: cardOf(counts) });
		},
	});
	await journal.write();
	const made = { recipe, seed, source, stages: result.stages, card: cardOf(result.sft) };
	const bytes = new Uint8Array(writeCheckpoint(result.parameters, made));
	const { digest, parameters } = readCheckpoint(bytes);
	const checkpointId = await repository.ensureCheckpointRow(db, { workspaceId, digest, bytes });
	const version = await ports.registerCheckpoint({ workspaceId, recipe, checkpointId, digest, parameters });
	return { checkpointId, policyVersionId: version.id };
}
