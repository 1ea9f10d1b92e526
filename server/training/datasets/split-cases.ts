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

/** Shares of ours, by group, so that near-duplicates stay together: of dev cases, and of messages that are there for training alone. */
const SFT = 50;
const RL = 80;
const POOL_SFT = 62;
/** Measured on for the curves: more would take longer and show the same. Of ours. */
const MOST_SAMPLED = 160;

const shareOf = ({ groupKey }: TrainingCase) => (hash32(`training/${groupKey}`) >>> 8) % 100;

/**
 * Divides what may be trained on, by a hash of the group: the same case is always on the same side. Where there are messages
 * for training alone, they are trained on and dev cases are only measured on, since the harness was edited for those.
 */
export function divideCases({ dev: cases, pool }: { dev: readonly TrainingCase[]; pool: readonly TrainingCase[] }): CaseShares {
	if (pool.length > 0)
		return {
			sft: pool.filter((one) => shareOf(one) < POOL_SFT),
			rl: pool.filter((one) => shareOf(one) >= POOL_SFT),
			sample: [...cases].sort((a, b) => hash32(a.key) - hash32(b.key)).slice(0, MOST_SAMPLED),
		};
	return {
		sft: cases.filter((one) => shareOf(one) < SFT),
		rl: cases.filter((one) => shareOf(one) >= SFT && shareOf(one) < RL),
		sample: cases.filter((one) => shareOf(one) >= RL),
	};
}
