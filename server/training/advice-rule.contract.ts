/** The thresholds of the advice apart from the schemas, so that a form can know them without loading Zod. */

/** From where on a sign counts. */
export interface AdviceRule {
	/** T1−T2 gap in AVG points that counts, once its interval leaves zero: the margin of the gate. */
	gapPoints: number;
	/** AVG points that a landed edit has to gain. */
	gainPoints: number;
	/** Rounds over which that gain is taken. */
	rounds: number;
	/** Share of the failures that were meant to be mended again and again, and how often that is. */
	stuckShare: number;
	attempts: number;
	/** Fewer failures say nothing about editing. */
	leastFailures: number;
	/** Days after which a checkpoint is called old. It advises nothing alone. */
	ageDays: number;
}

/** In force until an admin sets others. All of ours: the report names the signs and no number. */
export const ADVICE_RULE: AdviceRule = {
	gapPoints: 3,
	gainPoints: 0.5,
	rounds: 3,
	stuckShare: 0.3,
	attempts: 2,
	leastFailures: 10,
	ageDays: 90,
};

/** The least and the most of each, and whether it has to be a whole number. */
export const ADVICE_RANGES = {
	gapPoints: { least: 0.1, most: 50, whole: false },
	gainPoints: { least: 0, most: 10, whole: false },
	rounds: { least: 1, most: 20, whole: true },
	stuckShare: { least: 0.01, most: 1, whole: false },
	attempts: { least: 1, most: 10, whole: true },
	leastFailures: { least: 1, most: 1000, whole: true },
	ageDays: { least: 1, most: 3650, whole: true },
} as const satisfies Record<keyof AdviceRule, { least: number; most: number; whole: boolean }>;

export const ADVICE_THRESHOLDS = Object.keys(ADVICE_RANGES) as (keyof AdviceRule)[];
