import { createRandom } from "@/server/kernel/random";
import type { Claim, Estimate } from "../ablation.contract";

/** Resamples of seeds and of groups of cases: of ours. */
export const RESAMPLES = 1000;

/** Near-duplicates by the group they share, as indices. */
export function unitsOf(groupKeys: readonly string[]): number[][] {
	const byGroup = new Map<string, number[]>();
	groupKeys.forEach((key, i) => {
		byGroup.set(key, [...(byGroup.get(key) ?? []), i]);
	});
	return [...byGroup.values()];
}

/** How often each item counts when units are drawn with replacement; every item is its own unit unless given. */
export function drawCounts(size: number, units: readonly number[][] | null, next: (n: number) => number): Float64Array {
	const counts = new Float64Array(size);
	const own = units ?? Array.from({ length: size }, (_value, i) => [i]);
	for (let i = 0; i < own.length; i++) for (const item of own[next(own.length)] as number[]) counts[item] = (counts[item] as number) + 1;
	return counts;
}

/** Mean of the values that there are; NaN where there is none. */
export function weightedMean(values: readonly (number | null)[], weights: Float64Array): number {
	let sum = 0;
	let count = 0;
	values.forEach((value, i) => {
		if (value === null) return;
		sum += value * (weights[i] as number);
		count += weights[i] as number;
	});
	return count === 0 ? Number.NaN : sum / count;
}

/** A value with the percentiles of what resamples gave; those that gave no number are left out. */
export function intervalOf(value: number, resampled: readonly number[]): Estimate {
	const drawn = resampled.filter(Number.isFinite).sort((a, b) => a - b);
	const at = (share: number) => drawn[Math.round(share * (drawn.length - 1))] ?? value;
	return { value, low: at(0.025), high: at(0.975) };
}

/** One resample: which seeds are read, and how often each case counts. */
export interface Sample {
	seeds: readonly number[];
	weights: Float64Array;
}

/** All seeds and cases once, and the resamples of both: the same ones for every policy, so that all comparisons are paired. */
export function drawSamples(seeds: readonly number[], groupKeys: readonly string[], drawnBy: string): { whole: Sample; resamples: Sample[] } {
	const random = createRandom(drawnBy);
	const units = unitsOf(groupKeys);
	const resamples = Array.from({ length: RESAMPLES }, () => {
		const weights = drawCounts(groupKeys.length, units, random.int);
		return { seeds: seeds.map(() => random.pick(seeds)), weights };
	});
	return { whole: { seeds, weights: new Float64Array(groupKeys.length).fill(1) }, resamples };
}

/** Whether a claim appears: its number reaches the bound; of “more” the whole interval must also lie above 0. */
export function judgeClaim({ id, claim, needed, more }: Required<Pick<Claim, "id" | "claim" | "needed">> & { more: boolean }, found: Estimate | null): Claim {
	if (!found) return { id, claim, estimate: null, needed, holds: "not measured", certain: false };
	const holds = found.value >= needed && (!more || found.low > 0);
	return { id, claim, estimate: found, needed, holds: holds ? "appears" : "does not appear", certain: holds ? found.low >= needed : found.high < needed };
}
