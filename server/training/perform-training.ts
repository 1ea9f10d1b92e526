import { copyParameters, writeCheckpoint } from "@/server/compact";
import { keepCheckpoint } from "./checkpoints/keep-checkpoint";
import { readBaseCheckpoint } from "./checkpoints/read-base";
import type { DataCard, Training } from "./contract";
import type { SftCounts } from "./datasets/build-sft-set";
import { divideCases } from "./datasets/split-cases";
import type { TrainingPorts } from "./ports";
import { partOf } from "./pretrain/pose-items";
import { readGeneralData } from "./pretrain/read-general-data";
import { Arena, Forest } from "./rollouts/arena";
import { openStages } from "./rollouts/open-stages";
import { createRewardJudge, requireOtherJudge } from "./rollouts/reward-judge";
import { runTraining } from "./stages/run-training";
import { HAT_DEFAULTS, type TrainingSettings } from "./stages/settings";
import { readState, writeState } from "./stages/state-codec";
import { Trainer } from "./stages/trainer";
import * as repository from "./training.repository";
import { TrainingJournal } from "./training-journal";

/** What a training is about, opened: where it plays, what it plays, and who rewards. */
async function openWork(ports: TrainingPorts, { workspaceId, source }: Training) {
	const [scene, judges, cases] = await Promise.all([
		ports.openScene(workspaceId, source.bundleId, source.suiteVersionId),
		ports.judges(workspaceId),
		ports.readTrainingCases(source.suiteVersionId),
	]);
	const rewardJudge = createRewardJudge(judges.rubric);
	requireOtherJudge(rewardJudge, judges.evaluation.fingerprint);
	return { playground: { ...scene, rewardJudge }, shares: divideCases(cases), rewardJudge, evaluationJudge: judges.evaluation.name };
}
type Work = Awaited<ReturnType<typeof openWork>>;

function cardOf({ source }: Training, { shares, rewardJudge, evaluationJudge }: Work, variants: number, counted: SftCounts): DataCard {
	const { cases: _cases, stages: _stages, ...counts } = counted;
	return {
		...counts,
		cases: { sft: shares.sft.length, rl: shares.rl.length, sample: shares.sample.length },
		treeId: source.treeId,
		commit: source.commit,
		variants,
		envelope: variants > 0 ? source.envelope.version : null,
		rewardJudge: rewardJudge.describe().fingerprint,
		evaluationJudge,
		teacher: "oracle",
		general: source.generalData !== null,
	};
}

/** Performs a training from where it stands to its checkpoint, and registers that as a policy version. */
export async function performTraining(
	ports: TrainingPorts,
	training: Training,
	signal: AbortSignal,
): Promise<{ checkpointId: string; policyVersionId: string }> {
	const { db } = ports;
	const { id, workspaceId, recipe, seed, source } = training;
	const saved = await repository.findTrainingWork(db, id);
	const settings = (saved?.settings ?? HAT_DEFAULTS) as TrainingSettings;
	const base = readBaseCheckpoint();
	const state = saved?.state ? readState(saved.state, base.parameters) : null;
	const wanted = { treeId: source.treeId, envelope: source.envelope.content, seed };
	const [work, [original]] = await Promise.all([openWork(ports, training), openStages(ports, { ...wanted, variants: 0 })]);
	const { shares, playground } = work;
	const total = shares.sft.length;
	const progress = training.progress ?? { start: null, cases: { done: 0, total }, stages: [] };
	const journal = new TrainingJournal(ports, id, state?.position ?? 0, progress, signal);
	const forest = new Forest(playground, journal.signal);
	// Who watches sees a first point before the variants are made.
	if (!progress.start && original && shares.sample.length > 0)
		await journal.note({ start: await new Arena(forest, [original]).measure(new Trainer(copyParameters(base.parameters)), shares.sample) }, true);
	const stages = await openStages(ports, { ...wanted, variants: recipe === "hat" ? settings.variants : 0 });
	const card = (counts: SftCounts) => cardOf(training, work, stages.length - 1, counts);
	let savedAt = Date.now();
	const result = await runTraining({
		base: base.parameters,
		cases: shares,
		...{ stages, playground, forest, settings, seed, state },
		general: source.generalData === null ? null : partOf(readGeneralData(source.generalData), "train"),
		signal: journal.signal,
		onStart: (start) => journal.note({ start }, true),
		onCase: (done) => journal.note({ cases: { done, total } }),
		onPlan: (plan) => journal.note({ cases: { done: total, total }, stages: plan }, true),
		onRecord: (record) => journal.add(record),
		async onSave(now) {
			if (Date.now() - savedAt < settings.saveAfterMs) return;
			savedAt = Date.now();
			await journal.write();
			await repository.saveTrainingState(db, id, writeState(now, base.parameters, journal.position));
		},
		onData: async (counts) => void (await repository.moveTraining(db, id, "running", { card: card(counts) })),
	});
	await journal.write();
	// A file that travels names no folder of this machine; whether there was one, the card says.
	const { generalData: _folder, ...origin } = source;
	const made = { recipe, seed, source: origin, stages: result.stages, card: card(result.sft) };
	const kept = await keepCheckpoint(ports, { workspaceId, name: recipe, bytes: writeCheckpoint(result.parameters, made) });
	return { checkpointId: kept.checkpointId, policyVersionId: kept.version.id };
}
