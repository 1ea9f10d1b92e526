import { binomialCdf, binomialPmf } from "./distributions";
import { mcnemarExact } from "./tests";

/** The most broken (of `discordant` pairs) with which exact McNemar is still significant; −1 when none is. The p value grows with `k`. */
function criticalCount(discordant: number, alpha: number): number {
	let low = -1;
	let high = Math.floor(discordant / 2);
	while (low < high) {
		const k = Math.ceil((low + high) / 2);
		if (mcnemarExact(discordant - k, k) < alpha) low = k;
		else high = k - 1;
	}
	return low;
}

/** A number of discordant pairs: how likely it is, and the most broken with which the comparison is significant. */
interface Outcome {
	discordant: number;
	weight: number;
	critical: number;
}

/** Power of exact McNemar for a true delta, over the binomial number of discordant pairs. */
function power(discordance: number, delta: number, outcomes: readonly Outcome[]): number {
	const losing = (1 - delta / discordance) / 2;
	let total = 0;
	for (const { discordant, weight, critical } of outcomes)
		total += weight * (binomialCdf(discordant, critical, losing) + binomialCdf(discordant, critical, 1 - losing));
	return total;
}

/**
 * Minimum detectable effect at 80 % power (α = 0.05, exact McNemar), as a proportion: the smallest true delta that a
 * comparison of `n` cases would call significant four times in five, if this share of cases is discordant. Computed
 * exactly over the binomial number of discordant pairs. Null when even a one-sided change of all of them would not do.
 */
export function minimumDetectableEffect(n: number, discordance: number, wanted = 0.8, alpha = 0.05): number | null {
	if (n < 1 || discordance <= 0) return null;
	const share = Math.min(1, discordance);
	const spread = 6 * Math.sqrt(n * share * (1 - share)) + 1;
	const outcomes: Outcome[] = [];
	for (let discordant = Math.max(0, Math.floor(n * share - spread)); discordant <= Math.min(n, Math.ceil(n * share + spread)); discordant++) {
		const critical = criticalCount(discordant, alpha);
		if (critical >= 0) outcomes.push({ discordant, weight: binomialPmf(n, discordant, share), critical });
	}
	if (power(share, share, outcomes) < wanted) return null;
	let low = 0;
	let high = share;
	for (let i = 0; i < 20; i++) {
		const middle = (low + high) / 2;
		if (power(share, middle, outcomes) < wanted) low = middle;
		else high = middle;
	}
	return high;
}
