import { narrowEnvelope } from "@/server/augmentation";
import { readBaseCheckpoint } from "../checkpoints/read-base";
import type { TrainingPorts } from "../ports";
import { readGeneralData } from "../pretrain/read-general-data";
import { openStages } from "../rollouts/open-stages";
import { createRewardJudge } from "../rollouts/reward-judge";
import { HAT_DEFAULTS } from "../stages/settings";
import { runAblation } from "./run-ablation";
import { type AblationRow, judgeClaims, tabulate } from "./summarise-ablation";

/** Variants that a row of the table is spread over, and the seed from which they count: of ours, apart from every training's. */
const VARIANTS = 5;
const MEASURE_SEED = 2_000_001;

export interface AblationRequest {
	workspaceId: string;
	/** Ref or commit. */
	harness: string;
	seeds: number;
	/** At most so many test cases; all unless given. */
	cases?: number | undefined;
	signal: AbortSignal;
	onRow?: (row: AblationRow) => void;
}

/** Trains and measures every row of the ablation on a workspace, on its test cases. Throws `precondition` where there are no cases. */
export async function performAblation(ports: TrainingPorts, { workspaceId, harness, seeds, cases, signal, onRow }: AblationRequest) {
	const [{ treeId, commit }, suiteVersionId, bundleId, { content: envelope, version }] = await Promise.all([
		ports.resolveHarness(workspaceId, harness),
		ports.currentSuiteVersion(workspaceId),
		ports.currentBundle(workspaceId),
		ports.currentEnvelope(workspaceId),
	]);
	const [training, test, scene, judges] = await Promise.all([
		ports.readTrainingCases(suiteVersionId),
		ports.readMeasuredCases(suiteVersionId),
		ports.openScene(workspaceId, bundleId),
		ports.judges(workspaceId),
	]);
	const measured = test.slice(0, cases ?? test.length);
	const rowOf = async (dimensions: Parameters<typeof narrowEnvelope>[1] | null, book: "transforms" | "held-out" = "transforms") => {
		const narrowed = dimensions ? narrowEnvelope(envelope, dimensions) : envelope;
		return (await openStages(ports, { treeId, envelope: narrowed, seed: MEASURE_SEED, variants: VARIANTS, book })).slice(1);
	};
	const [original] = await openStages(ports, { treeId, envelope, seed: 0, variants: 0 });
	if (!original) throw new RangeError("A harness has an original.");
	const generalFolder = ports.generalData();
	const found = await runAblation({
		base: readBaseCheckpoint().parameters,
		seeds: Array.from({ length: seeds }, (_value, i) => i + 1),
		cases: { training, measured },
		trainingStages: (seed) => openStages(ports, { treeId, envelope, seed, variants: HAT_DEFAULTS.variants }),
		rows: { original, t2: await rowOf(null), heldOut: await rowOf(null, "held-out"), tool: await rowOf(["tools"]), prompt: await rowOf(["prompts"]) },
		general: generalFolder === null ? null : readGeneralData(generalFolder),
		training: { ...scene, rewardJudge: createRewardJudge(judges.rubric) },
		measuring: { ...scene, rewardJudge: judges.rubric },
		// What each stage does by itself, not what a person would keep of it.
		settings: { ...HAT_DEFAULTS, keepBest: false },
		signal,
		...(onRow ? { onRow } : {}),
	});
	return {
		harness: { treeId, commit },
		envelope: version,
		trainingCases: training.length,
		measuredCases: measured.length,
		seeds,
		table: tabulate(found),
		claims: judgeClaims(found),
		rows: found,
	};
}
