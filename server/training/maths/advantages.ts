import { REWARD_DIMENSIONS, type RewardDimension, type Rewards } from "../contract";

export interface AdvantageOptions {
	/** 1 unless given. */
	weights?: Partial<Record<RewardDimension, number>>;
	/** ε of a group's standard deviation; 1e-6 unless given. */
	epsilon?: number;
	/** The second normalisation, over the batch; on unless switched off. */
	batchNormalise?: boolean;
}

export interface Advantage {
	/** A_d: 0 where the sample has no value in the dimension. */
	perDimension: Record<RewardDimension, number>;
	/** S: the weighted sum over dimensions. */
	sum: number;
	/** What the loss uses: S normalised over the batch, or S itself where that is switched off. */
	value: number;
	/** No advantage, so nothing to learn from: the sample is left out of the loss. */
	dropped: boolean;
}

const EPSILON = 1e-6;
/** ε of the batch normalisation, as in the reference implementations. */
const BATCH_EPSILON = 1e-8;
/** An advantage this close to 0 is rounding: ours. */
const ZERO = 1e-6;

interface Moments {
	mean: number;
	std: number;
}

/** Mean and standard deviation with n − 1; the deviation of fewer than two values is 0. */
export function moments(values: readonly number[]): Moments {
	if (values.length === 0) return { mean: 0, std: 0 };
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	if (values.length < 2) return { mean, std: 0 };
	const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	return { mean, std: Math.sqrt(squares / (values.length - 1)) };
}

const zeros = (): Record<RewardDimension, number> => ({ accuracy: 0, effectiveness: 0, skill: 0, tool: 0 });

function groupIndexes(rows: readonly { group: string }[]): number[][] {
	const groups = new Map<string, number[]>();
	rows.forEach(({ group }, i) => {
		const own = groups.get(group);
		if (own) own.push(i);
		else groups.set(group, [i]);
	});
	return [...groups.values()];
}

/**
 * GDPO: in every group and dimension A_d = (r_d − mean r_d) / (std r_d + ε), std with n − 1 over the samples that have a
 * value; a dimension without a value contributes 0; S = Σ w_d A_d. Then, unless switched off, (S − mean S) / (std S + 1e-8)
 * over the batch, as the reference implementations do. A sample is dropped when its own advantage S is 0, never because
 * of its summed reward: equal sums may hide unequal advantages. Source: arXiv 2608.15763.
 */
export function computeAdvantages(rows: readonly { group: string; rewards: Rewards }[], options: AdvantageOptions = {}): Advantage[] {
	const { weights = {}, epsilon = EPSILON, batchNormalise = true } = options;
	const perDimension = rows.map(zeros);
	for (const group of groupIndexes(rows)) {
		for (const dimension of REWARD_DIMENSIONS) {
			const present = group.flatMap((i) => {
				const value = rows[i]?.rewards[dimension];
				return value === null || value === undefined ? [] : [{ i, value }];
			});
			const { mean, std } = moments(present.map(({ value }) => value));
			for (const { i, value } of present) (perDimension[i] as Record<RewardDimension, number>)[dimension] = (value - mean) / (std + epsilon);
		}
	}
	const sums = perDimension.map((own) => REWARD_DIMENSIONS.reduce((sum, dimension) => sum + (weights[dimension] ?? 1) * own[dimension], 0));
	const batch = moments(sums);
	return perDimension.map((own, i) => {
		const sum = sums[i] as number;
		const value = batchNormalise ? (sum - batch.mean) / (batch.std + BATCH_EPSILON) : sum;
		return { perDimension: own, sum, value, dropped: Math.abs(sum) < ZERO };
	});
}
