import type { VerdictWord } from "@/server/evaluation/contract";

/** A comparison of two rounds on `test`, reduced to what the rules read. Deltas are proportions (0.01 = 1 point). */
export interface RoundComparison {
	accuracy: { verdict: VerdictWord; delta: number; nonInferior: boolean };
	effectiveness: { verdict: VerdictWord; delta: number; nonInferior: boolean };
	avgDelta: number;
}

export interface EarlyStopState {
	/** Index of the round that counts as the best so far; 0 is the baseline. */
	anchor: number;
	strikes: number;
	stale: number;
	stopped: boolean;
}

export type EarlyStopEffect = "anchor" | "strike" | "stale" | "trade-off" | "none";

export const EARLY_STOP_START: EarlyStopState = { anchor: 0, strikes: 0, stale: 0, stopped: false };

const has = (c: RoundComparison, word: VerdictWord) => c.accuracy.verdict === word || c.effectiveness.verdict === word;

/** What a round does to the early stop, by its comparison with the anchor. `deltaPoints` is δ in points (default 1.0). */
export function effectOf(comparison: RoundComparison, deltaPoints: number): EarlyStopEffect {
	const improved = has(comparison, "improved");
	const regressed = has(comparison, "regressed");
	if (improved && regressed) return "trade-off";
	if (improved) return "anchor";
	if (regressed) return "strike";
	// Deltas are means of counts, so compare with a hair of tolerance for the division.
	return comparison.avgDelta < deltaPoints / 100 - 1e-12 ? "stale" : "none";
}

/**
 * Counts a closed round. A new anchor sets both counts to 0; a trade-off, and a gain that is not significant, leave them.
 * A round whose run is indecisive (`comparison` null) says nothing and leaves everything.
 */
export function countRound(
	state: EarlyStopState,
	round: { index: number; comparison: RoundComparison | null },
	rule: { deltaPoints: number; patience: number },
): { state: EarlyStopState; effect: EarlyStopEffect } {
	if (!round.comparison) return { state, effect: "none" };
	const effect = effectOf(round.comparison, rule.deltaPoints);
	const next = { ...state };
	if (effect === "anchor") Object.assign(next, { anchor: round.index, strikes: 0, stale: 0 });
	if (effect === "strike") next.strikes++;
	if (effect === "stale") next.stale++;
	next.stopped = next.strikes + next.stale >= rule.patience;
	return { state: next, effect };
}

/** Reopening starts the count again; the anchor stays. */
export function reopen(state: EarlyStopState): EarlyStopState {
	return { ...state, strikes: 0, stale: 0, stopped: false };
}

/** Eligible for release: no dimension regressed against the baseline and each is non-inferior to it. */
export function isEligible(againstBaseline: RoundComparison | null): boolean {
	if (!againstBaseline) return false;
	return !has(againstBaseline, "regressed") && againstBaseline.accuracy.nonInferior && againstBaseline.effectiveness.nonInferior;
}

/**
 * Recommended: the eligible round with the highest AVG among those that improved on the baseline; the earlier of equals;
 * null when no round improved.
 */
export function recommendRound(rounds: readonly { index: number; avg: number; againstBaseline: RoundComparison | null }[]): number | null {
	let best: { index: number; avg: number } | null = null;
	for (const round of [...rounds].sort((a, b) => a.index - b.index)) {
		if (!round.againstBaseline || !isEligible(round.againstBaseline) || !has(round.againstBaseline, "improved")) continue;
		if (!best || round.avg > best.avg + 1e-12) best = round;
	}
	return best?.index ?? null;
}

/** `base` for round 0, else `Evo.n`. */
export function roundName(index: number): string {
	return index === 0 ? "base" : `Evo.${index}`;
}
