import { copyParameters, initialParameters, type Parameters, Scorer } from "@/server/compact";
import { createRandom } from "@/server/kernel/random";
import { Trainer } from "../stages/trainer";
import { type GeneralPart, type PosedItem, partOf, poseForMeasure, poseForTraining } from "./pose-items";
import type { GeneralData } from "./read-general-data";

/** Settings of ours, from the probe; the encoder's share is picked among these. */
export const PRETRAIN = { epochs: 4, batch: 8, rate: 0.003, encoders: [0.01, 0.1], scalars: 10, namelessShare: 0.5 } as const;
/** Thresholds among which the lexical-only scorer may pick its own, on the same split. */
const THRESHOLDS = [0.004, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3];
const MEASURE_SEED = 1;

export interface GeneralMeasure {
	/** Share of requests for which the right tool is chosen among others. */
	choice: number;
	/** Share of requests for which no tool is chosen where none fits. */
	irrelevance: number;
	/** Mean of both. */
	balanced: number;
	/** Share of requests for which the right skill is chosen. */
	routing: number;
}

type Posed = ReturnType<typeof poseForMeasure>;
type Pick = (item: PosedItem) => number;

function measure(posed: Posed, pick: Pick): GeneralMeasure {
	const share = (items: readonly PosedItem[]) => (items.length === 0 ? 0 : items.filter((item) => pick(item) === item.right).length / items.length);
	const [choice, irrelevance] = [share(posed.choice), share(posed.irrelevance)];
	return { choice, irrelevance, balanced: (choice + irrelevance) / 2, routing: share(posed.routing) };
}

const best = (values: ArrayLike<number>): number => {
	let at = 0;
	for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[at] as number)) at = i;
	return at;
};

/** The policy without learned weights, by text overlap above a threshold. */
const lexicalPick =
	(threshold: number): Pick =>
	({ input }) =>
		best(input.candidates.map((candidate) => (candidate.none === 1 ? threshold : candidate.lexical)));

const learnedPick = (parameters: Parameters): Pick => {
	const scorer = new Scorer(parameters);
	return ({ input }) => best(scorer.score(input));
};

function trainEpoch(trainer: Trainer, part: GeneralPart, encoder: number, seed: string): number {
	const random = createRandom(seed);
	const items = poseForTraining(part, random);
	let loss = 0;
	for (let from = 0; from < items.length; from += PRETRAIN.batch) {
		const batch = items.slice(from, from + PRETRAIN.batch);
		const scorer = random.next() < PRETRAIN.namelessShare ? trainer.nameless : trainer.scorer;
		for (const { input, right } of batch) loss += trainer.addCrossEntropy(input, right, 1 / batch.length, scorer) * batch.length;
		trainer.step({ rate: PRETRAIN.rate, encoder, scalars: PRETRAIN.scalars });
	}
	return loss / items.length;
}

export interface PretrainResult {
	parameters: Parameters;
	/** The encoder's share and the epoch that were best on the split for picking. */
	picked: { encoder: number; epoch: number; threshold: number };
	curve: { encoder: number; epoch: number; loss: number; balanced: number }[];
	/** On the split that nothing was picked on; the base and the scorer by overlap alone. */
	report: { base: GeneralMeasure; lexical: GeneralMeasure };
	counts: Record<"train" | "pick" | "report", { items: number; tools: number; skills: number }>;
}

/** Requests of a split that pretraining has not seen, 1 where the choice is right: among others, and where nothing fits. */
export interface GeneralItems {
	choice: number[];
	irrelevance: number[];
}

const posedOnce = { pick: new WeakMap<GeneralData, Posed>(), report: new WeakMap<GeneralData, Posed>() };

/** The balanced general measure of any parameters, request by request; settings are tried out on `pick` alone. */
export function generalItems(data: GeneralData, parameters: Parameters, split: "pick" | "report"): GeneralItems {
	const posed = posedOnce[split].get(data) ?? poseForMeasure(partOf(data, split), MEASURE_SEED);
	posedOnce[split].set(data, posed);
	const pick = learnedPick(parameters);
	const marks = (items: readonly PosedItem[]) => items.map((item) => (pick(item) === item.right ? 1 : 0));
	return { choice: marks(posed.choice), irrelevance: marks(posed.irrelevance) };
}

/** The general measure of any parameters on the reported split. */
export function measureGeneral(data: GeneralData, parameters: Parameters): GeneralMeasure {
	return measure(poseForMeasure(partOf(data, "report"), MEASURE_SEED), learnedPick(parameters));
}

/**
 * Trains the base on general data: which tool or skill a request asks for, or none. What is kept is picked on a split of
 * functions that is neither trained on nor reported. The same seed and data give the same parameters.
 */
export function pretrain(data: GeneralData, seed: number): PretrainResult {
	const [train, pick, report] = [partOf(data, "train"), partOf(data, "pick"), partOf(data, "report")];
	const [onPick, onReport] = [poseForMeasure(pick, MEASURE_SEED), poseForMeasure(report, MEASURE_SEED)];
	const curve: PretrainResult["curve"] = [];
	let kept: { parameters: Parameters; encoder: number; epoch: number; balanced: number } | null = null;
	for (const encoder of PRETRAIN.encoders) {
		const trainer = new Trainer(initialParameters(seed));
		for (let epoch = 1; epoch <= PRETRAIN.epochs; epoch++) {
			const loss = trainEpoch(trainer, train, encoder, `pretrain/${seed}/${encoder}/${epoch}`);
			const { balanced } = measure(onPick, learnedPick(trainer.parameters));
			curve.push({ encoder, epoch, loss, balanced });
			if (!kept || balanced > kept.balanced) kept = { parameters: copyParameters(trainer.parameters), encoder, epoch, balanced };
		}
	}
	if (!kept) throw new RangeError("Nothing was trained.");
	const threshold = THRESHOLDS[best(THRESHOLDS.map((value) => measure(onPick, lexicalPick(value)).balanced))] as number;
	const countsOf = (part: GeneralPart) => ({ items: part.items.length, tools: part.pools.tool.length, skills: part.pools.skill.length });
	return {
		parameters: kept.parameters,
		picked: { encoder: kept.encoder, epoch: kept.epoch, threshold },
		curve,
		report: { base: measure(onReport, learnedPick(kept.parameters)), lexical: measure(onReport, lexicalPick(threshold)) },
		counts: { train: countsOf(train), pick: countsOf(pick), report: countsOf(report) },
	};
}
