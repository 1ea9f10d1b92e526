import type { VerdictWord } from "../contract";

export interface VerdictRules {
	/** Smallest delta that counts, in points. */
	deltaPoints: number;
	/** Margin of "unchanged" and of "non-inferior", in points. */
	marginPoints: number;
	alpha: number;
	minCases: number;
}

export const DEFAULT_RULES: VerdictRules = { deltaPoints: 1, marginPoints: 3, alpha: 0.05, minCases: 30 };

/** "unchanged" has a margin of its own, whatever a gate's policy says of non-inferiority. */
const UNCHANGED_POINTS = 3;
const EPSILON = 1e-9;

/** The word of one dimension (evaluation.md, "Comparison"); proportions in, so 0.01 is one point. */
export function verdictWord(
	input: { cases: number; delta: number; low: number; high: number; p: number; discordant: number; sameConditions: boolean },
	rules: VerdictRules = DEFAULT_RULES,
): VerdictWord {
	if (input.sameConditions && input.discordant === 0) return "identical";
	if (input.cases < rules.minCases) return "too-few";
	if (input.p < rules.alpha) {
		const points = input.delta * 100;
		if (points >= rules.deltaPoints - EPSILON) return "improved";
		if (points <= -rules.deltaPoints + EPSILON) return "regressed";
		return points > 0 ? "slightly-better" : "slightly-worse";
	}
	return input.low * 100 > -UNCHANGED_POINTS && input.high * 100 < UNCHANGED_POINTS ? "unchanged" : "inconclusive";
}
