import { dropFeatures } from "@/server/compact";
import { createRandom } from "@/server/kernel/random";
import type { TrainingRecord } from "../contract";
import type { SftExample } from "../datasets/build-sft-set";
import { emptyRecord } from "./records";
import type { TrainingSettings } from "./settings";
import type { Trainer } from "./trainer";

/** A share of Chinese above this makes the text of a data set Chinese: of ours. */
const HAN_SHARE = 0.2;

/** Examples by case: under the original, and under variants. */
export interface SftPool {
	cases: { original: SftExample[]; augmented: SftExample[] }[];
	encoder: number;
}

/** Groups examples by case. `text` is what the cases say: Chinese grams are denser, so its encoder learns faster. */
export function poolOf(examples: readonly SftExample[], text: string, settings: TrainingSettings["sft"]): SftPool {
	const byCase = new Map<string, SftPool["cases"][number]>();
	for (const example of examples) {
		const own = byCase.get(example.caseKey) ?? { original: [], augmented: [] };
		byCase.set(example.caseKey, own);
		own[example.stage === "original" ? "original" : "augmented"].push(example);
	}
	const han = (text.match(/\p{Script=Han}/gu)?.length ?? 0) / Math.max(1, text.length);
	return { cases: [...byCase.values()], encoder: han > HAN_SHARE ? settings.encoderHan : settings.encoder };
}

export const sftSteps = (pool: SftPool, { epochs, batch }: TrainingSettings["sft"]): number => epochs * Math.ceil(pool.cases.length / batch);

/** One step of HSA-SFT: cross-entropy on the teacher's decisions of a batch of cases, some grams of the situation left out. */
export function stepSft(trainer: Trainer, pool: SftPool, settings: TrainingSettings, seed: string, step: number): TrainingRecord {
	const { batch, rate, scalars, featureDropout } = settings.sft;
	const random = createRandom(`${seed}/sft/${step}`);
	const chosen = Array.from({ length: Math.min(batch, pool.cases.length) }, () => {
		const { original, augmented } = random.pick(pool.cases);
		const side = augmented.length > 0 && (original.length === 0 || random.next() < settings.augmentedShare) ? augmented : original;
		return random.pick(side);
	});
	const decisions = chosen.flatMap((example) => example.decisions.filter(({ weight }) => weight > 0));
	let loss = 0;
	for (const { input, chosen: right, weight } of decisions) {
		const situation = dropFeatures(input.situation, featureDropout, random.next);
		loss += trainer.addCrossEntropy({ ...input, situation }, right, weight / decisions.length);
	}
	const left = 1 - (step - 1) / sftSteps(pool, settings.sft);
	const gradientNorm = trainer.step({ rate: rate * left, encoder: pool.encoder, scalars });
	return { ...emptyRecord("sft", step), loss, gradientNorm };
}
