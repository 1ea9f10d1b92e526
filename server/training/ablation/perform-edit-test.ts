import { copyParameters, type Parameters } from "@/server/compact";
import type { Recipe } from "../contract";
import type { TrainingPorts } from "../ports";
import { partOf } from "../pretrain/pose-items";
import { Forest } from "../rollouts/arena";
import { openStages } from "../rollouts/open-stages";
import { runTraining } from "../stages/run-training";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import { learnedContestant, scoreCases } from "./measure-policy";
import { type MeasurementRequest, openMeasurement } from "./open-measurement";
import { ANY_SEED } from "./run-ablation";

export interface EditTestRequest extends MeasurementRequest {
	/** The harness that policies are trained under, and the one that it became. Ref or commit. */
	before: string;
	after: string;
	seeds: number;
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

/**
 * The held-out harness-edit test: the base and both recipes, trained under the harness before, act under it and under what it
 * became since, on the same cases. Nothing is trained under the harness after.
 */
export async function performEditTest(ports: TrainingPorts, request: EditTestRequest): Promise<EditTestResult> {
	const { workspaceId, seeds, settings = HAT_DEFAULTS, signal } = request;
	const [before, after, opened] = await Promise.all([
		ports.resolveHarness(workspaceId, request.before),
		ports.resolveHarness(workspaceId, request.after),
		openMeasurement(ports, request),
	]);
	const { shares, measured: cases, envelope, base, general, training, measuring } = opened;
	const stagesOf = (treeId: string) => openStages(ports, { treeId, envelope: envelope.content, seed: 0, variants: 0 });
	const [old, now] = await Promise.all([stagesOf(before.treeId), stagesOf(after.treeId)]);
	const measured = new Forest(measuring, signal);
	const trained = new Forest(training, signal);
	const rows: EditTestRow[] = [];
	const note = async (policy: EditTestRow["policy"], seed: number, parameters: Parameters) => {
		const contestant = learnedContestant(measured, parameters);
		const row = { policy, seed, before: await scoreCases(contestant, cases, old), after: await scoreCases(contestant, cases, now) };
		rows.push(row);
		request.onRow?.(row);
	};
	await note("base", ANY_SEED, base.parameters);
	for (let seed = 1; seed <= seeds; seed++) {
		const stages = await openStages(ports, { treeId: before.treeId, envelope: envelope.content, seed, variants: settings.variants });
		for (const recipe of ["fixed", "hat"] satisfies Recipe[]) {
			const { parameters } = await runTraining({
				base: base.parameters,
				cases: { ...shares, sample: [] },
				stages: recipe === "hat" ? stages : stages.slice(0, 1),
				general: general && partOf(general, "train"),
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
