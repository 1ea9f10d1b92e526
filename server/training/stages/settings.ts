import type { TrainingOptions } from "../contract";
import { CLIP } from "../maths/gspo";

/** Settings of a training, all ours: the report gives no group size, clip range, learning rate or epochs. From the probe on public requests. */
export const HAT_DEFAULTS = {
	/** Variants of the harness that a training acts under, beside the original; the teacher shows each case under some of them. */
	variants: 144,
	variantsPerCase: 8,
	/** Share of steps and prompts under a variant. */
	augmentedShare: 0.75,
	/** Share of RL prompts with an injected fault. */
	faults: 0.4,
	sft: { epochs: 24, batch: 8, rate: 0.006, encoder: 0.4, encoderHan: 0.4, scalars: 1, featureDropout: 0.3 },
	/** The encoder as fast as in SFT: what that moved has to come back. */
	opd: { steps: 300, states: 16, rate: 0.003, encoder: 0.4, scalars: 1 },
	rl: { iterations: 45, prompts: 16, group: 8, rate: 0.003, encoder: 0.1, scalars: 1, updates: 4, clip: CLIP },
	/** SFT and RL end at the best of their measurements on the dev sample, the start included: few cases are soon learnt by heart. */
	keepBest: true,
	/** Steps between two moments at which a state may be saved, and the time that must have passed since the last: it is some megabytes. */
	saveEvery: 25,
	saveAfterMs: 10_000,
	/** Steps between two measurements on the dev sample, by stage. */
	measureEvery: { sft: 120, opd: 100, rl: 15 },
};
export type TrainingSettings = typeof HAT_DEFAULTS;

/** The settings with what a person set. */
export function settingsWith({ variants, sftEpochs, opdSteps, rlIterations }: TrainingOptions, settings: TrainingSettings = HAT_DEFAULTS): TrainingSettings {
	return {
		...settings,
		variants: variants ?? settings.variants,
		sft: { ...settings.sft, epochs: sftEpochs ?? settings.sft.epochs },
		opd: { ...settings.opd, steps: opdSteps ?? settings.opd.steps },
		rl: { ...settings.rl, iterations: rlIterations ?? settings.rl.iterations },
	};
}
