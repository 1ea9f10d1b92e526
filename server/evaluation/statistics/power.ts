import { binomialCdf, binomialPmf } from "./distributions";
import { mcnemarExact } from "./tests";

/** The most broken (of `discordant` pairs) with which exact McNemar is still significant; −1 when none is. */
function criticalCount(discordant: number, alpha: number): number {
	let critical = -1;
	for (let k = 0; k <= discordant / 2 && mcnemarExact(discordant - k, k) < alpha; k++) critical = k;
	return critical;
}

/** Power of exact McNemar for a true delta, over the binomial number of discordant pairs. */
function power(n: number, discordance: number, delta: number, criticals: ReadonlyMap<number, number>): number {
	const losing = (1 - delta / discordance) / 2;
	let total = 0;
	for (const [discordant, critical] of criticals) {
		if (critical < 0) continue;
		const weight = binomialPmf(n, discordant, discordance);
		total += weight * (binomialCdf(discordant, critical, losing) + binomialCdf(discordant, critical, 1 - losing));
	}
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
	const criticals = new Map<number, number>();
	for (let d = Math.max(0, Math.floor(n * share - spread)); d <= Math.min(n, Math.ceil(n * share + spread)); d++) criticals.set(d, criticalCount(d, alpha));
	if (power(n, share, share, criticals) < wanted) return null;
	let low = 0;
	let high = share;
	for (let i = 0; i < 20; i++) {
		const middle = (low + high) / 2;
		if (power(n, share, middle, criticals) < wanted) low = middle;
		else high = middle;
	}
	return high;
}
