import { setImmediate as nextTurn } from "node:timers/promises";
import { copyParameters, type OptimiserState, type Parameters, Scorer } from "@/server/compact";
import { AppError } from "@/server/kernel/errors";
import { createRandom } from "@/server/kernel/random";
import type { StageName, TrainingRecord } from "../contract";
import { buildSftSet, type SftCounts } from "../datasets/build-sft-set";
import type { CaseShares } from "../datasets/split-cases";
import { type GeneralPart, poseForTraining } from "../pretrain/pose-items";
import { Arena, Forest } from "../rollouts/arena";
import type { Playground, Stage } from "../rollouts/playground";
import type { TrainingSettings } from "./settings";
import { stepOpd } from "./train-opd";
import { stepRl } from "./train-rl";
import { poolOf, sftSteps, stepSft } from "./train-sft";
import { Trainer } from "./trainer";

/** Where a training stands: enough to go on as if nothing had happened. Randomness is drawn from seed, stage and step. */
export interface TrainingState {
	stage: StageName;
	/** Steps of the stage that are done. */
	step: number;
	parameters: Parameters;
	optimiser: OptimiserState;
	/** The best of the stage so far on the dev sample; null where none is kept. */
	best: Best | null;
}

interface Best {
	score: number;
	parameters: Parameters;
}

export interface TrainingInput {
	base: Parameters;
	cases: CaseShares;
	/** The original first; more than one under the recipe `hat`. */
	stages: readonly Stage[];
	/** General requests for OPD; null leaves the stage out. */
	general: GeneralPart | null;
	playground: Playground;
	settings: TrainingSettings;
	seed: number;
	signal: AbortSignal;
	/** Episodes that were played before in the same playground; its own unless given. */
	forest?: Forest;
	/** A saved state to go on from. */
	state?: TrainingState | null;
	onSave?: (state: TrainingState) => Promise<void>;
	onRecord?: (record: TrainingRecord) => Promise<void> | void;
	onData?: (counts: SftCounts) => Promise<void> | void;
	/** Called first, with what the start scores on the dev sample: the first point of the curves, before the data is made. */
	onStart?: (sample: { t1: number; t2: number | null }) => Promise<void> | void;
	/** Called while the data is made, with the cases that are done. */
	onCase?: (done: number) => Promise<void> | void;
	/** Called with the stages to come, before the first. */
	onPlan?: (stages: { stage: StageName; steps: number }[]) => Promise<void> | void;
	/** Called at the end of each stage; the parameters go on to be trained. */
	onStage?: (stage: StageName, parameters: Parameters) => Promise<void>;
}

export interface TrainingResult {
	parameters: Parameters;
	sft: SftCounts;
	/** Stages that ran, in order. */
	stages: StageName[];
}

interface StageRun {
	name: StageName;
	steps: number;
	run(trainer: Trainer, step: number): TrainingRecord | Promise<TrainingRecord>;
}

async function planStages(input: TrainingInput, forest: Forest, arena: Arena): Promise<{ stages: StageRun[]; sft: SftCounts }> {
	const { base, cases, settings, general, signal } = input;
	const { stages: own, seed: drawn, onCase } = input;
	const shown = { cases: cases.sft, stages: own, perCase: settings.variantsPerCase };
	const set = await buildSftSet({ forest, ...shown, student: base, seed: drawn, signal, onCase });
	await input.onData?.(set.counts);
	const pool = poolOf(set.examples, cases.sft.map((one) => one.content.message).join(""), settings.sft);
	const seed = `training/${input.seed}`;
	const baseScorer = new Scorer(base);
	const stages: StageRun[] = [];
	if (pool.cases.length > 0)
		stages.push({ name: "sft", steps: sftSteps(pool, settings.sft), run: (trainer, step) => stepSft(trainer, pool, settings, seed, step) });
	if (general !== null && general.items.length > 0 && settings.opd.steps > 0) {
		const posed = poseForTraining(general, createRandom(`${seed}/general`));
		stages.push({ name: "opd", steps: settings.opd.steps, run: (trainer, step) => stepOpd(trainer, baseScorer, posed, settings, seed, step) });
	}
	if (cases.rl.length > 0 && settings.rl.iterations > 0)
		stages.push({ name: "rl", steps: settings.rl.iterations, run: (trainer, step) => stepRl({ arena, cases: cases.rl, settings, seed }, trainer, step) });
	return { stages, sft: set.counts };
}

/** Both rows of the dev sample as one number; without variants the original counts for both. */
const scoreOf = ({ t1, t2 }: { t1: number; t2: number | null }): number => t1 + (t2 ?? t1);

/** One stage from its start or from where a saved state stands; returns the parameters that it ends with. */
async function runStage(input: TrainingInput, arena: Arena, stage: StageRun, start: Parameters, state: TrainingState | null): Promise<Parameters> {
	const { settings, signal, cases } = input;
	const trainer = new Trainer(start);
	if (state) trainer.optimiser.restore(state.optimiser);
	// OPD is for general ability: the dev sample has no say in it.
	const choosy = settings.keepBest && stage.name !== "opd" && cases.sample.length > 0;
	let best: Best | null = state?.best ?? null;
	if (choosy && !best) best = { score: scoreOf(await arena.measure(trainer, cases.sample)), parameters: copyParameters(start) };
	for (let step = (state?.step ?? 0) + 1; step <= stage.steps; step++) {
		await nextTurn();
		if (signal.aborted) throw new AppError("cancelled", "The training was stopped.");
		const record = await stage.run(trainer, step);
		requireFinite(record);
		const last = step === stage.steps;
		const measured = step === 1 || last || step % settings.measureEvery[stage.name] === 0;
		const sample = measured ? await arena.measure(trainer, cases.sample) : null;
		if (sample && best && scoreOf(sample) >= best.score) best = { score: scoreOf(sample), parameters: copyParameters(trainer.parameters) };
		await input.onRecord?.({ ...record, sample });
		if (last || step % settings.saveEvery === 0)
			await input.onSave?.({ stage: stage.name, step, parameters: trainer.parameters, optimiser: trainer.optimiser.state(), best });
	}
	return best?.parameters ?? trainer.parameters;
}

function requireFinite(record: TrainingRecord): void {
	if (Number.isFinite(record.loss) && Number.isFinite(record.gradientNorm)) return;
	throw new AppError("precondition", `Training stopped: the loss of ${record.stage}, step ${record.step}, is no longer a number.`, {
		reason: "training-diverged",
		fix: "Train again with a lower learning rate, or from an earlier checkpoint.",
	});
}

/**
 * HSA-SFT, General OPD and HSA-RL one after the other. Can be killed at any line: with the last saved state it goes on to
 * the same parameters. Stops with `training-diverged` when a loss or gradient is no longer finite, with `cancelled` on abort.
 */
export async function runTraining(input: TrainingInput): Promise<TrainingResult> {
	const { signal, state = null, cases } = input;
	if (cases.sft.length + cases.rl.length === 0) {
		throw new AppError("precondition", "There are no dev cases to train on.", { reason: "training-no-cases", fix: "Import cases into the split dev." });
	}
	const forest = input.forest ?? new Forest(input.playground, signal);
	const arena = new Arena(forest, input.stages);
	// Measured again where the first stage begins: its episodes are known by then.
	if (!state && cases.sample.length > 0) await input.onStart?.(await arena.measure(new Trainer(copyParameters(input.base)), cases.sample));
	const plan = await planStages(input, forest, arena);
	await input.onPlan?.(plan.stages.map(({ name, steps }) => ({ stage: name, steps })));
	let parameters = state?.parameters ?? copyParameters(input.base);
	const from = state ? plan.stages.findIndex((stage) => stage.name === state.stage) : 0;
	for (const [i, stage] of plan.stages.entries()) {
		if (i < from) continue;
		parameters = await runStage(input, arena, stage, parameters, i === from ? state : null);
		await input.onStage?.(stage.name, parameters);
	}
	return { parameters, sft: plan.sft, stages: plan.stages.map((stage) => stage.name) };
}
