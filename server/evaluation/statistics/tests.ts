import { createRandom } from "@/server/kernel/random";
import { binomialCdf } from "./distributions";

/** Up to this many discordant pairs the permutation test is exact. */
export const EXACT_LIMIT = 20;
export const FLIPS = 20_000;
const FLIP_SEED = 20_262;

/** Exact two-sided McNemar: the binomial test of fixed against broken with p = ½, doubled and capped at 1. */
export function mcnemarExact(fixed: number, broken: number): number {
	const n = fixed + broken;
	if (n === 0) return 1;
	return Math.min(1, 2 * binomialCdf(n, Math.min(fixed, broken), 0.5));
}

function exactSignFlip(counts: readonly number[], observed: number): number {
	// Gray code: each step flips one sign. The first sign stays fixed, since |sum| is symmetric.
	const n = counts.length;
	let sum = counts.reduce((a, b) => a + b, 0);
	const signs = new Int8Array(n).fill(1);
	let extreme = Math.abs(sum) >= observed ? 1 : 0;
	const patterns = 2 ** (n - 1);
	for (let i = 1; i < patterns; i++) {
		const bit = 31 - Math.clz32(i & -i) + 1;
		signs[bit] = -(signs[bit] as number) as 1 | -1;
		sum += 2 * (signs[bit] as number) * (counts[bit] as number);
		if (Math.abs(sum) >= observed) extreme++;
	}
	return extreme / patterns;
}

/**
 * Paired sign-flip permutation test of a mean difference of zero, two-sided. Takes the differences as integer counts of a
 * common unit, so that "at least as extreme" is exact. Exact up to 20 discordant pairs; above, 20,000 flips with a fixed
 * seed and p = (1 + extreme) / (1 + flips), which is never 0 (Phipson & Smyth 2010).
 */
export function signFlip(differences: readonly number[]): number {
	// In order, so that p does not depend on the order of the cases.
	const counts = differences.filter((d) => d !== 0).sort((a, b) => a - b);
	const n = counts.length;
	if (n === 0) return 1;
	const observed = Math.abs(counts.reduce((a, b) => a + b, 0));
	if (n <= EXACT_LIMIT) return exactSignFlip(counts, observed);
	const random = createRandom(FLIP_SEED);
	let extreme = 0;
	for (let flip = 0; flip < FLIPS; flip++) {
		let sum = 0;
		let bits = 0;
		for (let i = 0; i < n; i++) {
			if (i % 32 === 0) bits = random.int(4294967296) | 0;
			const count = counts[i] as number;
			sum += bits & 1 ? count : -count;
			bits >>>= 1;
		}
		if (Math.abs(sum) >= observed) extreme++;
	}
	return (1 + extreme) / (1 + FLIPS);
}

/** Holm's step-down correction (Holm 1979): adjusted p-values in the order given. */
export function holm(pValues: readonly number[]): number[] {
	const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
	const adjusted = new Array<number>(pValues.length).fill(1);
	let highest = 0;
	for (const [rank, { p, index }] of order.entries()) {
		highest = Math.max(highest, Math.min(1, (pValues.length - rank) * p));
		adjusted[index] = highest;
	}
	return adjusted;
}
