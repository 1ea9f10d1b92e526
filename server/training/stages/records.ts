import type { TrainingRecord } from "../contract";
import { moments } from "../maths/advantages";

export const mean = (values: readonly number[]): number => moments(values).mean;

/** A record without what its stage does not measure. */
export function emptyRecord(stage: TrainingRecord["stage"], step: number): TrainingRecord {
	return {
		stage,
		step,
		loss: 0,
		gradientNorm: 0,
		kl: null,
		rewards: null,
		advantage: null,
		droppedShare: null,
		clipShare: null,
		reasoningTokens: null,
		sample: null,
	};
}
