import { SIMULATED_TAG } from "@/server/simulator";
import type { TrainingPorts } from "../ports";
import { openStages } from "../rollouts/open-stages";
import { HAT_DEFAULTS, type TrainingSettings } from "../stages/settings";
import { type MeasurementRequest, openMeasurement } from "./open-measurement";
import { openRows } from "./open-rows";
import { type AblationPart, type AblationRow, runAblation } from "./run-ablation";

export interface AblationRequest extends MeasurementRequest {
	/** Ref or commit. */
	harness: string;
	parts: readonly AblationPart[];
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
	const { workspaceId, harness, parts, settings = HAT_DEFAULTS, signal, onRow } = request;
	const [{ treeId, commit }, opened] = await Promise.all([ports.resolveHarness(workspaceId, harness), openMeasurement(ports, request)]);
	const { shares, measured, dev, envelope, base, general, training, measuring } = opened;
	const rows = await runAblation({
		base: base.parameters,
		parts,
		shares,
		measured,
		trainingStages: (seed) => openStages(ports, { treeId, envelope: envelope.content, seed, variants: settings.variants }),
		rows: await openRows(ports, treeId, envelope.content),
		general,
		generalSplit: request.split === "test" ? "report" : "pick",
		training,
		measuring,
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
			envelope: envelope.version,
			baseDigest: base.digest,
			general: general !== null,
			cases: { sft: shares.sft.length, rl: shares.rl.length, simulated, dev, measured: measured.length },
			groups: measured.map((one) => one.groupKey),
		},
		rows,
	};
}
