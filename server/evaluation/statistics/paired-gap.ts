import type { CaseScore, RobustnessGap } from "../contract";
import { adjustedT } from "./intervals";

/**
 * What a run loses against a base run, paired by case: base − run, with the adjusted t interval of the comparison
 * (docs/evaluation.md), so that it never degenerates. Positive: the base is better. Cases that only one of them has are left out.
 */
export function pairedGap(base: readonly CaseScore[], run: readonly CaseScore[]): RobustnessGap {
	const other = new Map(run.map((score) => [score.caseId, score]));
	const pairs = base.flatMap((score) => {
		const same = other.get(score.caseId);
		return same ? [{ base: score, run: same }] : [];
	});
	const gapOf = (scoreOf: (score: CaseScore) => number) => {
		const differences = pairs.map((pair) => scoreOf(pair.base) - scoreOf(pair.run));
		const value = differences.length === 0 ? 0 : differences.reduce((sum, x) => sum + x, 0) / differences.length;
		return { value, ...adjustedT(differences) };
	};
	return {
		cases: pairs.length,
		accuracy: gapOf((score) => score.accuracy),
		effectiveness: gapOf((score) => score.effectiveness),
		avg: gapOf((score) => (score.accuracy + score.effectiveness) / 2),
	};
}
