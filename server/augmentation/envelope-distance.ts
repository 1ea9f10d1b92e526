import { treeIdOf } from "@/server/harness";
import type { HarnessFiles } from "@/server/harness/contract";
import {
	type AugmentationDimension,
	type Change,
	DIMENSIONS,
	type Envelope,
	type EnvelopeDistance,
	isCount,
	MAX_COUNT,
	TRANSFORMS,
	type Transform,
} from "./contract";
import { measureChange } from "./measure-change";
import { readParts } from "./read-parts";

const transformsOf = (envelope: Envelope, dimension: AugmentationDimension) => envelope[dimension] as Record<string, Transform>;
const partsOf = (files: HarnessFiles) => readParts(files, treeIdOf(files));
/** Rounding of shares; below it nothing changed. */
const EPSILON = 1e-9;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Most that an envelope allows of a transform. */
function mostOf(envelope: Envelope, dimension: AugmentationDimension, transform: string): number {
	const { allowed, strength } = transformsOf(envelope, dimension)[transform] as Transform;
	const own = allowed ? strength.max : 0;
	// Skills that are there besides may be distractors or noise: nobody can tell them apart afterwards.
	if (dimension === "skillIdentity" && transform === "distractors") return own + mostOf(envelope, dimension, "noise");
	return own;
}

/**
 * Per dimension, how far a harness is from the one that a checkpoint was trained on, as a multiple of what its envelope
 * allows, and whether it is inside. Throws `precondition` where one of the two does not validate.
 */
export function distance(harness: HarnessFiles, snapshot: HarnessFiles, envelope: Envelope): EnvelopeDistance {
	const change = measureChange(partsOf(snapshot), partsOf(harness));
	const dimensions = DIMENSIONS.map((dimension) => {
		const transforms = TRANSFORMS[dimension].map((transform) => {
			const amount = (change[dimension] as Record<string, number>)[transform] as number;
			const most = mostOf(envelope, dimension, transform);
			return { transform, amount, most: Math.min(most, MAX_COUNT), inside: amount <= most + EPSILON };
		});
		const ratios = transforms.map(({ amount, most }) => (amount <= EPSILON ? 0 : most > 0 ? amount / most : Number.POSITIVE_INFINITY));
		const farthest = Math.max(...ratios);
		return {
			dimension,
			distance: finite(farthest),
			inside: transforms.every((one) => one.inside),
			transforms: transforms.map((one) => ({ ...one, amount: finite(one.amount) })),
		};
	});
	return { inside: dimensions.every((one) => one.inside), dimensions };
}

export interface EnvelopeFit {
	envelope: Envelope;
	/** Pairs of versions that were compared, and in how many of them each transform was seen. */
	steps: number;
	seen: Record<string, Record<string, number>>;
}

/** A change smaller than this is the side effect of another one. A number of ours. */
const LEAST = 0.01;

function fitTransform(amounts: readonly number[], count: boolean): Transform {
	const found = amounts.filter((amount) => amount >= LEAST && Number.isFinite(amount)).sort((a, b) => a - b);
	if (found.length === 0) return { allowed: false, likelihood: 0, strength: { min: 0, max: 0 } };
	const bound = (value: number) => (count ? Math.min(MAX_COUNT, Math.round(value)) : Math.min(1, Math.round(value * 1_000) / 1_000));
	return { allowed: true, likelihood: found.length / amounts.length, strength: { min: bound(found[0] as number), max: bound(found.at(-1) as number) } };
}

/**
 * An envelope of the edits that really happen: for each transform, in what share of the steps from one version to the next it
 * was seen, and between which sizes. `history`: the harness at consecutive commits, oldest first; versions that do not
 * validate are passed over. What was never seen is not allowed.
 */
export function fitEnvelope(history: readonly HarnessFiles[]): EnvelopeFit {
	const versions = history.flatMap((files) => {
		try {
			return [partsOf(files)];
		} catch {
			return [];
		}
	});
	const changes: Change[] = versions.slice(1).map((after, i) => measureChange(versions[i] as (typeof versions)[number], after));
	const seen: EnvelopeFit["seen"] = {};
	const dimensions = Object.fromEntries(
		DIMENSIONS.map((dimension) => [
			dimension,
			Object.fromEntries(
				TRANSFORMS[dimension].map((transform) => {
					const fitted = fitTransform(
						changes.map((change) => (change[dimension] as Record<string, number>)[transform] as number),
						isCount(dimension, transform),
					);
					seen[dimension] = { ...seen[dimension], [transform]: Math.round(fitted.likelihood * changes.length) };
					return [transform, fitted];
				}),
			),
		]),
	);
	return { envelope: { version: 1, ...dimensions } as Envelope, steps: changes.length, seen };
}
