import { copyParameters, createCompactPolicy, type Parameters } from "@/server/compact";
import type { Recipe } from "../contract";
import { buildSftSet } from "../datasets/build-sft-set";
import type { CaseShares } from "../datasets/split-cases";
import { type GeneralPart, partOf } from "../pretrain/pose-items";
import { type GeneralItems, generalItems } from "../pretrain/pretrain";
import type { GeneralData } from "../pretrain/read-general-data";
import { Forest } from "../rollouts/arena";
import type { Playground, Stage, TrainingCase } from "../rollouts/playground";
import { runTraining } from "../stages/run-training";
import type { TrainingSettings } from "../stages/settings";
import { type Contestant, learnedContestant, type Measured, measurePolicy, playingContestant } from "./measure-policy";
import { naiveBayes } from "./naive-bayes";
import type { Rows } from "./open-rows";

/** Of rows that do not depend on a seed. */
export const ANY_SEED = 0;

/** What of the table is made: nothing trained, one recipe with one seed, or its SFT with the other choice of the encoder's rate. */
export interface AblationPart {
	seed: number;
	recipe: Recipe | "untrained" | "fixed-other" | "hat-other";
}

/** One policy of one seed. */
export interface AblationRow {
	policy: string;
	seed: number;
	measured: Measured;
	/** Requests of the general measure, right or not; null where its data is not on the machine, or the policy has no weights. */
	general: GeneralItems | null;
}

export interface AblationInput {
	base: Parameters;
	parts: readonly AblationPart[];
	/** What is trained on, and what is measured on: apart. */
	shares: CaseShares;
	measured: readonly TrainingCase[];
	/** The original, then the variants that a seed trains under. */
	trainingStages(seed: number): Promise<Stage[]>;
	rows: Rows;
	general: GeneralData | null;
	/** What the general measure is read on: the reported requests, or those that settings are picked on. */
	generalSplit: "pick" | "report";
	training: Playground;
	measuring: Playground;
	settings: TrainingSettings;
	signal: AbortSignal;
	onRow?: (row: AblationRow) => void;
}

/** The encoder's share of the learning rate in the rows of “the other choice”: the probe's, under which names weigh more. */
const OTHER_ENCODER = 0.1;

type Note = (policy: string, contestant: Contestant, parameters?: Parameters) => Promise<void>;

interface Bench {
	input: AblationInput;
	/** Episodes played for rewards, and those played to be measured: judged by different judges. */
	trained: Forest;
	measured: Forest;
	part: GeneralPart | null;
}

/** Base, overlap alone and naive Bayes: what nothing was trained for. */
async function measureUntrained({ input, trained, measured }: Bench, note: Note, stages: readonly Stage[], seed: number): Promise<void> {
	const { base, measuring, signal, shares } = input;
	await note("lexical-only", playingContestant(measuring, createCompactPolicy(), signal));
	await note("base", learnedContestant(measured, base), base);
	const set = await buildSftSet({ forest: trained, cases: shares.sft, stages: stages.slice(0, 1), student: base, seed, signal });
	await note("naive-bayes", learnedContestant(measured, base, {}, naiveBayes(set.examples)));
}

async function measureRecipe({ input, trained, measured, part }: Bench, note: Note, recipe: Recipe, stages: readonly Stage[], seed: number): Promise<void> {
	const { base, shares, training, settings, signal } = input;
	const own = recipe === "hat" ? stages : stages.slice(0, 1);
	const shared = { base, cases: { ...shares, sample: [] }, stages: own, general: part, playground: training, seed, signal, forest: trained };
	const { parameters } = await runTraining({
		...shared,
		settings,
		onStage: async (stage, now) => {
			const copy = copyParameters(now);
			await note(`${recipe}-${stage}`, learnedContestant(measured, copy), copy);
		},
	});
	await note(`${recipe}-rl, identity off`, learnedContestant(measured, parameters, { withoutIdentity: true }));
	await note(`${recipe}-rl, lexical off`, learnedContestant(measured, parameters, { withoutLexical: true }));
}

async function measureOther({ input, trained, measured }: Bench, note: Note, recipe: Recipe, stages: readonly Stage[], seed: number): Promise<void> {
	const { base, shares, training, settings, signal } = input;
	const { parameters } = await runTraining({
		base,
		cases: { ...shares, rl: [], sample: [] },
		stages: recipe === "hat" ? stages : stages.slice(0, 1),
		general: null,
		playground: training,
		settings: { ...settings, sft: { ...settings.sft, encoder: OTHER_ENCODER, encoderHan: OTHER_ENCODER } },
		seed,
		signal,
		forest: trained,
	});
	await note(`${recipe}-sft, encoder at a tenth`, learnedContestant(measured, parameters), parameters);
}

/**
 * The table, or parts of it: what nothing was trained for, and both recipes after each stage, with their last stage without
 * identity and without overlap, and SFT with the other choice of the encoder's rate. A part does not depend on the others.
 */
export async function runAblation(input: AblationInput): Promise<AblationRow[]> {
	const { parts, measured: cases, rows, general, generalSplit, training, measuring, signal } = input;
	const found: AblationRow[] = [];
	const bench: Bench = {
		input,
		trained: new Forest(training, signal),
		measured: new Forest(measuring, signal),
		part: general && partOf(general, "train"),
	};
	for (const { seed, recipe } of parts) {
		const note: Note = async (policy, contestant, parameters) => {
			const measured = await measurePolicy(contestant, cases, rows);
			const row = { policy, seed, measured, general: general && parameters ? generalItems(general, parameters, generalSplit) : null };
			found.push(row);
			input.onRow?.(row);
		};
		const stages = await input.trainingStages(seed);
		if (recipe === "untrained") await measureUntrained(bench, note, stages, seed);
		else if (recipe === "fixed" || recipe === "hat") await measureRecipe(bench, note, recipe, stages, seed);
		else await measureOther(bench, note, recipe === "hat-other" ? "hat" : "fixed", stages, seed);
	}
	return found;
}
