import { createRandom } from "@/server/kernel/random";
import type { Interval } from "../contract";
import { normalQuantile, tQuantile } from "./distributions";

export const RESAMPLES = 10_000;
const BOOTSTRAP_SEED = 20_261;

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

/** Wilson score interval of a proportion (Wilson 1927). `level` is two-sided. */
export function wilson(successes: number, n: number, level = 0.95): Interval {
	if (n === 0) return { value: 0, low: 0, high: 1 };
	const z = normalQuantile(0.5 + level / 2);
	const p = successes / n;
	const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
	const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
	return { value: p, low: successes === 0 ? 0 : clamp(centre - half, 0, 1), high: successes === n ? 1 : clamp(centre + half, 0, 1) };
}

/** Rows of several columns, by the first column, then by the next. */
function inOrder(columns: readonly Float64Array[]): Float64Array[] {
	const rows = Uint32Array.from(columns[0] ?? [], (_, row) => row).sort((a, b) => {
		for (const column of columns) {
			const difference = (column[a] as number) - (column[b] as number);
			if (difference !== 0) return difference;
		}
		return 0;
	});
	return columns.map((column) => Float64Array.from(rows, (row) => column[row] as number));
}

/**
 * Percentile bootstrap over cases of the means of several columns at once: each resample draws whole cases, so that the
 * intervals of one run belong together. 10,000 resamples, fixed seed: the same scores give the same interval everywhere, in
 * whatever order the cases come (their ids differ between databases).
 */
export function bootstrapMeans(unordered: readonly Float64Array[], resamples = RESAMPLES, seed = BOOTSTRAP_SEED): Interval[] {
	const n = unordered[0]?.length ?? 0;
	if (n === 0) return unordered.map(() => ({ value: 0, low: 0, high: 1 }));
	const columns = inOrder(unordered);
	const random = createRandom(seed);
	const means = columns.map(() => new Float64Array(resamples));
	const drawn = new Uint32Array(n);
	for (let r = 0; r < resamples; r++) {
		for (let i = 0; i < n; i++) drawn[i] = random.int(n);
		for (let c = 0; c < columns.length; c++) {
			const column = columns[c] as Float64Array;
			let sum = 0;
			for (let i = 0; i < n; i++) sum += column[drawn[i] as number] as number;
			(means[c] as Float64Array)[r] = sum / n;
		}
	}
	return columns.map((column, c) => {
		const sorted = (means[c] as Float64Array).sort();
		let sum = 0;
		for (const x of column) sum += x;
		return {
			value: sum / n,
			low: sorted[Math.floor(0.025 * resamples)] as number,
			high: sorted[Math.ceil(0.975 * resamples) - 1] as number,
		};
	});
}

/**
 * Agresti–Min interval of a paired difference of proportions: half a count added to each of the four cells, then Wald
 * (Agresti & Min 2005, Statistics in Medicine 24). Never degenerates, also with no discordant pair. `tail` is the
 * probability left out at each end: 0.025 for the two-sided 95 %, 0.05 for the one-sided 95 %.
 */
export function agrestiMin(fixed: number, broken: number, n: number, tail = 0.025): { low: number; high: number } {
	const b = fixed + 0.5;
	const c = broken + 0.5;
	const total = n + 2;
	const delta = (b - c) / total;
	const half = normalQuantile(1 - tail) * (Math.sqrt(b + c - (b - c) ** 2 / total) / total);
	return { low: clamp(delta - half, -1, 1), high: clamp(delta + half, -1, 1) };
}

/** t interval of the mean difference after adding one pair of +1 and one of −1, so that it never degenerates. */
export function adjustedT(differences: readonly number[], tail = 0.025): { low: number; high: number } {
	const n = differences.length + 2;
	let sum = 0;
	let squares = 2;
	for (const d of differences) {
		sum += d;
		squares += d * d;
	}
	const mean = sum / n;
	const variance = Math.max(0, squares - (sum * sum) / n) / (n - 1);
	const half = tQuantile(1 - tail, n - 1) * Math.sqrt(variance / n);
	return { low: clamp(mean - half, -1, 1), high: clamp(mean + half, -1, 1) };
}
