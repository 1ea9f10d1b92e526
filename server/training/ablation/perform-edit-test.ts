import { copyParameters, type Parameters } from "@/server/compact";
import { readBaseCheckpoint } from "../checkpoints/read-base";
import type { Recipe } from "../contract";
import { divideCases } from "../datasets/split-cases";
import type { TrainingPorts } from "../ports";
import { partOf } from "../pretrain/pose-items";
import { readGeneralData } from "../pretrain/read-general-data";
import { Forest } from "../rollouts/arena";
import { openStages } from "../rollouts/open-stages";
import type { Stage, TrainingCase } from "../rollouts/playground";
import { createRewardJudge } from "../rollouts/reward-judge";
import { runTraining } from "../stages/run-training";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import { type Contestant, learnedContestant } from "./measure-policy";
import { ANY_SEED } from "./run-ablation";

export interface EditTestRequest {
	workspaceId: string;
	/** The harness that policies are trained under, and the one that it became. Ref or commit. */
	before: string;
	after: string;
	seeds: number;
	split: "dev" | "test";
	cases?: number | undefined;
	/** Those of any training unless given. */
	settings?: TrainingSettings;
	signal: AbortSignal;
	onRow?: (row: EditTestRow) => void;
}

/** One policy of one seed: mean of accuracy and effectiveness of each case under both harnesses. */
export interface EditTestRow {
	policy: "base" | Recipe;
	seed: number;
	before: number[];
	after: number[];
}

export interface EditTestResult {
	about: { before: string; after: string; cases: number; groups: string[] };
	rows: EditTestRow[];
}

/** Scores of every case under one harness, as the judge of evaluations gives them. */
async function scoreCases(contestant: Contestant, cases: readonly TrainingCase[], stage: Stage): Promise<number[]> {
	const scores: number[] = [];
	for (const one of cases) {
		const { verdict } = await contestant({ one, stage, faults: one.content.faults });
		scores.push((verdict.accuracy + verdict.effectiveness) / 2);
	}
	return scores;
}

/**
 * The held-out harness-edit test: the base and both recipes, trained under the harness before, act under it and under what it
 * became since, on the same cases. Nothing is trained under the harness after.
 */
export async function performEditTest(ports: TrainingPorts, request: EditTestRequest): Promise<EditTestResult> {
	const { workspaceId, seeds, split, cases: most, settings = HAT_DEFAULTS, signal } = request;
	const [before, after, suiteVersionId, bundleId, { content: envelope }] = await Promise.all([
		ports.resolveHarness(workspaceId, request.before),
		ports.resolveHarness(workspaceId, request.after),
		ports.currentSuiteVersion(workspaceId),
		ports.currentBundle(workspaceId),
		ports.currentEnvelope(workspaceId),
	]);
	const [available, test, scene, judges] = await Promise.all([
		ports.readTrainingCases(suiteVersionId),
		ports.readMeasuredCases(suiteVersionId),
		ports.openScene(workspaceId, bundleId, suiteVersionId),
		ports.judges(workspaceId),
	]);
	const shares = divideCases(available);
	const cases = (split === "test" ? test : shares.sample).slice(0, most);
	const stageOf = async (treeId: string) => (await openStages(ports, { treeId, envelope, seed: 0, variants: 0 }))[0] as Stage;
	const [old, now] = await Promise.all([stageOf(before.treeId), stageOf(after.treeId)]);
	const measured = new Forest({ ...scene, rewardJudge: judges.rubric }, signal);
	const training = { ...scene, rewardJudge: createRewardJudge(judges.rubric) };
	const trained = new Forest(training, signal);
	const rows: EditTestRow[] = [];
	const note = async (policy: EditTestRow["policy"], seed: number, parameters: Parameters) => {
		const contestant = learnedContestant(measured, parameters);
		const row = { policy, seed, before: await scoreCases(contestant, cases, old), after: await scoreCases(contestant, cases, now) };
		rows.push(row);
		request.onRow?.(row);
	};
	const base = readBaseCheckpoint().parameters;
	const folder = ports.generalData();
	const general = folder === null ? null : partOf(readGeneralData(folder), "train");
	await note("base", ANY_SEED, base);
	for (let seed = 1; seed <= seeds; seed++) {
		const stages = await openStages(ports, { treeId: before.treeId, envelope, seed, variants: settings.variants });
		for (const recipe of ["fixed", "hat"] satisfies Recipe[]) {
			const { parameters } = await runTraining({
				base,
				cases: { ...shares, sample: [] },
				stages: recipe === "hat" ? stages : stages.slice(0, 1),
				general,
				playground: training,
				settings: { ...settings, keepBest: false },
				seed,
				signal,
				forest: trained,
			});
			await note(recipe, seed, copyParameters(parameters));
		}
	}
	return { about: { before: before.treeId, after: after.treeId, cases: cases.length, groups: cases.map((one) => one.groupKey) }, rows };
}
