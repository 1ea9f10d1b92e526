import { hash32 } from "@/server/kernel/random";
import type { Encoded } from "../encode-text";

/** Sizes of ours, from the probe; they are part of the checkpoint's format. */
export const DIMENSIONS = 48;
export const BUCKETS = 32_768;
export const IDENTITY_ROWS = 8_192;

/** A text as rows of the embedding table with weights of length 1. */
export interface Features {
	buckets: Uint32Array;
	weights: Float32Array;
}

const known = new WeakMap<Encoded, Features>();

/** Hashes an encoded text into the table's buckets; grams that collide add up. Remembered by the encoding. */
export function toFeatures(encoded: Encoded): Features {
	const before = known.get(encoded);
	if (before) return before;
	const rows = new Map<number, number>();
	for (const [key, weight] of encoded) rows.set(key & (BUCKETS - 1), (rows.get(key & (BUCKETS - 1)) ?? 0) + weight);
	const buckets = Uint32Array.from(rows.keys());
	const weights = Float32Array.from(rows.values());
	let squares = 0;
	for (const weight of weights) squares += weight * weight;
	const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
	for (let i = 0; i < weights.length; i++) weights[i] = (weights[i] as number) * scale;
	const features = { buckets, weights };
	known.set(encoded, features);
	return features;
}

/** A text without some of its grams, each left out with probability `rate`; the rest keeps its weights. */
export function dropFeatures({ buckets, weights }: Features, rate: number, next: () => number): Features {
	const kept: Features = { buckets: new Uint32Array(buckets.length), weights: new Float32Array(buckets.length) };
	let size = 0;
	for (let i = 0; i < buckets.length; i++) {
		if (next() < rate) continue;
		kept.buckets[size] = buckets[i] as number;
		kept.weights[size] = weights[i] as number;
		size += 1;
	}
	return { buckets: kept.buckets.subarray(0, size), weights: kept.weights.subarray(0, size) };
}

/** The row of the identity table for a candidate's exact name. */
export const identityRow = (kind: string, name: string): number => hash32(`${kind}\u0000${name}`) & (IDENTITY_ROWS - 1);
