/** Bounds in reasoning tokens: free up to `low`, the full penalty from `high` on (the report's L_low = 100 and L_high = 200). */
export const COT_BOUNDS = { low: 100, high: 200 } as const;

/**
 * The penalty for long reasoning, in [−1, 0]: 0 up to `low` tokens, −1 from `high` on, linear between. The two bounds are the
 * report's (arXiv 2608.15763); linear is our reading of it. Throws RangeError for bounds out of order or a count below 0.
 */
export function cotPenalty(tokens: number, bounds: { low: number; high: number } = COT_BOUNDS): number {
	if (!(bounds.low >= 0 && bounds.high > bounds.low)) throw new RangeError("The bounds must be ordered: 0 ≤ low < high.");
	if (!(tokens >= 0)) throw new RangeError("A count of tokens is 0 or more.");
	return tokens <= bounds.low ? 0 : -Math.min(1, (tokens - bounds.low) / (bounds.high - bounds.low));
}
