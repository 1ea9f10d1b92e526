import type { Interval } from "./contract";

/** Scores and deltas in documents are on the scale of the screen: points of 100, one hundredth kept. The one rounding of every document. */
export function points(proportion: number): number {
	return Math.round(proportion * 10_000) / 100;
}

/** The same, and null where nothing was measured. */
export const pointsOrNull = (proportion: number | null): number | null => (proportion === null ? null : points(proportion));

/** Mean of proportions as points. */
export const meanPoints = (values: readonly number[]): number => points(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));

/** An estimate with its interval, as points. */
export const intervalPoints = ({ value, low, high }: Interval): Interval => ({ value: points(value), low: points(low), high: points(high) });

/** Accuracy, Effectiveness and AVG as documents give them: AVG is a number with its interval beside it. All null where nothing was `measured`. */
export function scorePoints(scores: { accuracy: Interval; effectiveness: Interval; avg: Interval }, measured: boolean) {
	if (!measured) return { accuracy: null, effectiveness: null, avg: null, avgInterval: null };
	const { value, low, high } = intervalPoints(scores.avg);
	return { accuracy: intervalPoints(scores.accuracy), effectiveness: intervalPoints(scores.effectiveness), avg: value, avgInterval: { low, high } };
}
