import type { Scorer } from "@/server/compact";
import { createRandom } from "@/server/kernel/random";
import type { TrainingRecord } from "../contract";
import type { PosedItem } from "../pretrain/pose-items";
import { emptyRecord } from "./records";
import type { TrainingSettings } from "./settings";
import type { Trainer } from "./trainer";

/**
 * One step of General OPD: the student meets general requests (of the split that pretraining saw), and its distribution is
 * drawn back to the base's by the reverse KL, exact over the candidates, so that no draw is needed for a one-step decision.
 */
export function stepOpd(trainer: Trainer, base: Scorer, general: readonly PosedItem[], settings: TrainingSettings, seed: string, step: number): TrainingRecord {
	const { states, rate, encoder, scalars } = settings.opd;
	const random = createRandom(`${seed}/opd/${step}`);
	const posed = random.shuffle(general).slice(0, states);
	let kl = 0;
	for (const { input } of posed) kl += trainer.addReverseKl(input, base, 1 / posed.length) / posed.length;
	const gradientNorm = trainer.step({ rate, encoder, scalars });
	return { ...emptyRecord("opd", step), loss: kl, kl, gradientNorm };
}
