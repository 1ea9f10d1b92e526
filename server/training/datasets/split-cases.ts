import { hash32 } from "@/server/kernel/random";
import type { TrainingCase } from "../rollouts/playground";

export interface CaseShares {
	/** What HSA-SFT is made from. */
	sft: TrainingCase[];
	/** Prompts of HSA-RL: others, since on seen ones most samples have no advantage. */
	rl: TrainingCase[];
	/** Only measured on, for the curves. */
	sample: TrainingCase[];
}

/** Shares of ours, by group, so that near-duplicates stay together. */
const SFT = 50;
const RL = 80;

/** Divides the cases that may be trained on, by a hash of their group: the same case is always on the same side. */
export function divideCases(cases: readonly TrainingCase[]): CaseShares {
	const shareOf = ({ groupKey }: TrainingCase) => (hash32(`training/${groupKey}`) >>> 8) % 100;
	return {
		sft: cases.filter((one) => shareOf(one) < SFT),
		rl: cases.filter((one) => shareOf(one) >= SFT && shareOf(one) < RL),
		sample: cases.filter((one) => shareOf(one) >= RL),
	};
}
