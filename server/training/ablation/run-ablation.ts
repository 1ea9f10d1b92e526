import { copyParameters, createCompactPolicy, type Parameters, type ScoreOptions } from "@/server/compact";
import type { Recipe } from "../contract";
import { divideCases } from "../datasets/split-cases";
import { partOf } from "../pretrain/pose-items";
import { measureGeneral } from "../pretrain/pretrain";
import type { GeneralData } from "../pretrain/read-general-data";
import type { Playground, Stage, TrainingCase } from "../rollouts/playground";
import { runTraining } from "../stages/run-training";
import type { TrainingSettings } from "../stages/settings";
import { measurePolicy, type Rows } from "./measure-policy";
import type { AblationRow } from "./summarise-ablation";

export interface AblationInput {
	base: Parameters;
	seeds: readonly number[];
	/** What may be trained on, and what is measured on: apart. */
	cases: { training: readonly TrainingCase[]; measured: readonly TrainingCase[] };
	/** The original, then the variants that a seed trains under. */
	trainingStages(seed: number): Promise<Stage[]>;
	rows: Rows;
	general: GeneralData | null;
	training: Playground;
	measuring: Playground;
	settings: TrainingSettings;
	signal: AbortSignal;
	onRow?: (row: AblationRow) => void;
}

const DIGEST = "ablation";

/** The table: base, both recipes after each stage, the last one without identity and without overlap, and overlap alone. */
export async function runAblation(input: AblationInput): Promise<AblationRow[]> {
	const { base, seeds, cases, rows, general, training, measuring, settings, signal } = input;
	const found: AblationRow[] = [];
	const note = async (policy: string, seed: number, parameters: Parameters | null, score: ScoreOptions = {}) => {
		const acting = createCompactPolicy(parameters ? { checkpoint: { parameters, digest: DIGEST }, score } : {});
		const measured = await measurePolicy(measuring, cases.measured, rows, acting, signal);
		const row = { policy, seed, measured, general: general && parameters ? measureGeneral(general, parameters).balanced : null };
		found.push(row);
		input.onRow?.(row);
	};
	const shares = divideCases(cases.training);
	for (const seed of seeds) {
		const first = found.filter((row) => row.seed === seeds[0]).slice(0, 2);
		// Neither depends on the seed.
		if (first.length === 2) found.push(...first.map((row) => ({ ...row, seed })));
		else {
			await note("overlap alone", seed, null);
			await note("base", seed, base);
		}
		const stages = await input.trainingStages(seed);
		for (const recipe of ["fixed", "hat"] satisfies Recipe[]) {
			const result = await runTraining({
				base,
				cases: { ...shares, sample: [] },
				stages: recipe === "hat" ? stages : stages.slice(0, 1),
				general: general && partOf(general, "train"),
				playground: training,
				settings,
				seed,
				signal,
				onStage: (stage, parameters) => note(`${recipe}-${stage}`, seed, copyParameters(parameters)),
			});
			await note(`${recipe}, identity off`, seed, result.parameters, { withoutIdentity: true });
			await note(`${recipe}, overlap off`, seed, result.parameters, { withoutLexical: true });
		}
	}
	return found;
}
