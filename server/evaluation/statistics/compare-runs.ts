import type { CaseScore, Comparison, DimensionComparison } from "../contract";
import { adjustedT, agrestiMin } from "./intervals";
import { holm, mcnemarExact, signFlip } from "./tests";
import { DEFAULT_RULES, type VerdictRules, verdictWord } from "./verdict";

export interface CompareOptions extends Partial<VerdictRules> {
	baseRunId: string;
	runId: string;
	/** Both runs have one trial: Accuracy is a yes or no per case. */
	oneTrial: boolean;
	/** Same tree, policy, judge and seeds. */
	sameConditions: boolean;
	/** Why the pair cannot be compared (another judge version); null when it can. */
	invalid?: string | null;
	alarmMinNet?: number;
	alarmMinShare?: number;
}

interface Pair {
	caseId: string;
	category: string;
	/** Differences in integer counts of 1/unit. */
	accuracy: number;
	effectiveness: number;
}

type Dimension = "accuracy" | "effectiveness";

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** A unit in which every mean over trials is a whole number: twice (for halves) the least common multiple of all trial counts. */
function commonUnit(scores: Iterable<CaseScore>): number {
	let lcm = 1;
	for (const { trials } of scores) {
		const next = (lcm / gcd(lcm, Math.max(1, trials))) * Math.max(1, trials);
		if (next > 2 ** 40) return 2 ** 40;
		lcm = next;
	}
	return 2 * lcm;
}

function pairUp(base: readonly CaseScore[], other: readonly CaseScore[]): { pairs: Pair[]; unit: number } {
	const byCase = new Map(base.map((score) => [score.caseId, score]));
	const both = other.flatMap((score) => {
		const before = byCase.get(score.caseId);
		return before ? [[before, score] as const] : [];
	});
	const unit = commonUnit(both.flat());
	const pairs = both.map(([before, after]) => ({
		caseId: after.caseId,
		category: after.category,
		accuracy: Math.round(after.accuracy * unit) - Math.round(before.accuracy * unit),
		effectiveness: Math.round(after.effectiveness * unit) - Math.round(before.effectiveness * unit),
	}));
	return { pairs, unit };
}

function adjustedInterval(counts: readonly number[], unit: number, binary: boolean, tail: number) {
	if (!binary)
		return adjustedT(
			counts.map((d) => d / unit),
			tail,
		);
	const fixed = counts.filter((d) => d > 0).length;
	const broken = counts.filter((d) => d < 0).length;
	return agrestiMin(fixed, broken, counts.length, tail);
}

function compareDimension(pairs: readonly Pair[], dimension: Dimension, unit: number, options: CompareOptions, rules: VerdictRules): DimensionComparison {
	const counts = pairs.map((pair) => pair[dimension]);
	const binary = dimension === "accuracy" && options.oneTrial;
	const changed = pairs
		.filter((pair) => pair[dimension] !== 0)
		.sort((a, b) => Math.abs(b[dimension]) - Math.abs(a[dimension]) || (a.caseId < b.caseId ? -1 : 1));
	const fixed = changed.filter((pair) => pair[dimension] > 0).map((pair) => pair.caseId);
	const broken = changed.filter((pair) => pair[dimension] < 0).map((pair) => pair.caseId);
	const delta = pairs.length === 0 ? 0 : counts.reduce((a, b) => a + b, 0) / unit / pairs.length;
	const p = binary ? mcnemarExact(fixed.length, broken.length) : signFlip(counts);
	const { low, high } = adjustedInterval(counts, unit, binary, 0.025);
	const oneSided = adjustedInterval(counts, unit, binary, 0.05);
	const verdict = verdictWord({ cases: pairs.length, delta, low, high, p, discordant: changed.length, sameConditions: options.sameConditions }, rules);
	return { delta, low, high, p, verdict, nonInferior: oneSided.low * 100 > -rules.marginPoints, fixed, broken };
}

/** Holm's correction changes which changes are significant, and with that the words. */
function correct(comparison: DimensionComparison, cases: number, pHolm: number, sameConditions: boolean, rules: VerdictRules) {
	const discordant = comparison.fixed.length + comparison.broken.length;
	return { ...comparison, pHolm, verdict: verdictWord({ ...comparison, cases, p: pHolm, discordant, sameConditions }, rules) };
}

/**
 * Compares two runs, paired by case, as evaluation.md says: exact McNemar or sign-flip permutation in integer counts,
 * adjusted intervals, words, flips (the largest change first), categories with Holm's correction, category alarms.
 * Cases that lack a valid score on either side are left out. Pure and deterministic.
 */
export function compareRuns(base: readonly CaseScore[], other: readonly CaseScore[], options: CompareOptions): Comparison {
	const rules: VerdictRules = {
		deltaPoints: options.deltaPoints ?? DEFAULT_RULES.deltaPoints,
		marginPoints: options.marginPoints ?? DEFAULT_RULES.marginPoints,
		alpha: options.alpha ?? DEFAULT_RULES.alpha,
		minCases: options.minCases ?? DEFAULT_RULES.minCases,
	};
	const { pairs, unit } = pairUp(base, other);
	const accuracy = compareDimension(pairs, "accuracy", unit, options, rules);
	const effectiveness = compareDimension(pairs, "effectiveness", unit, options, rules);
	const names = [...new Set(pairs.map((pair) => pair.category))].sort((a, b) => (a < b ? -1 : 1));
	const raw = names.map((category) => {
		const members = pairs.filter((pair) => pair.category === category);
		return {
			category,
			cases: members.length,
			accuracy: compareDimension(members, "accuracy", unit, options, rules),
			effectiveness: compareDimension(members, "effectiveness", unit, options, rules),
		};
	});
	const accuracyHolm = holm(raw.map((row) => row.accuracy.p));
	const effectivenessHolm = holm(raw.map((row) => row.effectiveness.p));
	const perCategory = raw.map((row, i) => ({
		...row,
		accuracy: correct(row.accuracy, row.cases, accuracyHolm[i] as number, options.sameConditions, rules),
		effectiveness: correct(row.effectiveness, row.cases, effectivenessHolm[i] as number, options.sameConditions, rules),
	}));
	return {
		baseRunId: options.baseRunId,
		runId: options.runId,
		cases: pairs.length,
		dimensions: { accuracy, effectiveness },
		avgDelta: (accuracy.delta + effectiveness.delta) / 2,
		avgInterval: adjustedT(pairs.map((pair) => (pair.accuracy + pair.effectiveness) / 2 / unit)),
		perCategory,
		alarms: findAlarms(perCategory, options.alarmMinNet ?? 3, options.alarmMinShare ?? 0.15),
		invalid: options.invalid ?? null,
	};
}

/** Category alarm: broken − fixed at least `minNet` and at least `minShare` of the category. Categories are too small for tests alone. */
function findAlarms(perCategory: Comparison["perCategory"], minNet: number, minShare: number): Comparison["alarms"] {
	return perCategory.flatMap((row) =>
		(["accuracy", "effectiveness"] as const).flatMap((dimension) => {
			const fixed = row[dimension].fixed.length;
			const broken = row[dimension].broken.length;
			const net = broken - fixed;
			return net >= minNet && net >= minShare * row.cases ? [{ category: row.category, dimension, fixed, broken, cases: row.cases }] : [];
		}),
	);
}
