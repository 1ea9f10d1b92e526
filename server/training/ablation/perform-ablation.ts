import { SIMULATED_TAG } from "@/server/simulator";
import { readBaseCheckpoint } from "../checkpoints/read-base";
import { divideCases } from "../datasets/split-cases";
import type { TrainingPorts } from "../ports";
import { readGeneralData } from "../pretrain/read-general-data";
import { openStages } from "../rollouts/open-stages";
import { createRewardJudge } from "../rollouts/reward-judge";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import { openRows } from "./open-rows";
import { type AblationPart, type AblationRow, runAblation } from "./run-ablation";

export interface AblationRequest {
	workspaceId: string;
	/** Ref or commit. */
	harness: string;
	parts: readonly AblationPart[];
	/** What is measured on: `test`, or `dev` for trying settings out without a look at test. */
	split: "dev" | "test";
	/** At most so many of them; all unless given. */
	cases?: number | undefined;
	/** Those of any training unless given. */
	settings?: TrainingSettings;
	signal: AbortSignal;
	onRow?: (row: AblationRow) => void;
}

/** Rows of an ablation, with what they are about. Those of equal `about` can be put together. */
export interface AblationResult {
	about: {
		workspaceId: string;
		harness: { treeId: string; commit: string | null };
		envelope: number;
		baseDigest: string;
		general: boolean;
		cases: { sft: number; rl: number; simulated: number; dev: number; measured: number };
		/** Group of each measured case, in the order of the rows. */
		groups: string[];
	};
	rows: AblationRow[];
}

/** Trains and measures every row of the ablation on a workspace's test cases. Throws `precondition` where there is nothing to train on. */
export async function performAblation(ports: TrainingPorts, request: AblationRequest): Promise<AblationResult> {
	const { workspaceId, harness, parts, split, cases, settings = HAT_DEFAULTS, signal, onRow } = request;
	const [{ treeId, commit }, suiteVersionId, bundleId, { content: envelope, version }] = await Promise.all([
		ports.resolveHarness(workspaceId, harness),
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
	const offered = split === "test" ? test : shares.sample;
	const measured = offered.slice(0, cases ?? offered.length);
	const folder = ports.generalData();
	const base = readBaseCheckpoint();
	const rows = await runAblation({
		base: base.parameters,
		parts,
		shares,
		measured,
		trainingStages: (seed) => openStages(ports, { treeId, envelope, seed, variants: settings.variants }),
		rows: await openRows(ports, treeId, envelope),
		general: folder === null ? null : readGeneralData(folder),
		training: { ...scene, rewardJudge: createRewardJudge(judges.rubric) },
		measuring: { ...scene, rewardJudge: judges.rubric },
		// What each stage does by itself, not what a person would keep of it.
		settings: { ...settings, keepBest: false },
		signal,
		...(onRow ? { onRow } : {}),
	});
	const simulated = [...shares.sft, ...shares.rl].filter(({ content }) => content.tags.includes(SIMULATED_TAG)).length;
	return {
		about: {
			workspaceId,
			harness: { treeId, commit },
			envelope: version,
			baseDigest: base.digest,
			general: folder !== null,
			cases: { sft: shares.sft.length, rl: shares.rl.length, simulated, dev: available.dev.length, measured: measured.length },
			groups: measured.map((one) => one.groupKey),
		},
		rows,
	};
}
