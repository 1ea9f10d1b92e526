import { createRandom } from "@/server/kernel/random";
import { DECISION_KINDS, type DecisionKind } from "./decision";
import { BUCKETS, DIMENSIONS, IDENTITY_ROWS } from "./features";

/** Weights of one kind of decision, in this order in the table of scalars. */
export const SCALARS = ["lexical", "plan", "none", "dot"] as const;
export type Scalar = (typeof SCALARS)[number];
export const SCALAR_COUNT = DECISION_KINDS.length * SCALARS.length;

/** All that is learned. Tables are row-major. */
export interface Parameters {
	/** BUCKETS × DIMENSIONS */
	embedding: Float32Array;
	/** IDENTITY_ROWS × DIMENSIONS */
	identity: Float32Array;
	/** SCALAR_COUNT */
	scalars: Float32Array;
	/** Counts changes, so that what was computed from older values is not used again. */
	version: number;
}

/** Of ours: at unit scale, grams that were never seen are noise. */
const INITIAL_SCALE = 0.1 / Math.sqrt(DIMENSIONS);
/** Starting points of ours. Lexical is the inverse of the untrained policy's temperature, so that training starts from its choices. */
const START: Record<Scalar, number> = { lexical: 12.5, plan: 4, none: 0, dot: 8 };

/** Index of a scalar in the table. */
export const scalarAt = (kind: DecisionKind, scalar: Scalar): number => DECISION_KINDS.indexOf(kind) * SCALARS.length + SCALARS.indexOf(scalar);

/** Untrained parameters: small random embeddings (Box–Muller), no identity, and the lexical policy's weights. */
export function initialParameters(seed: number): Parameters {
	const random = createRandom(`compact/${seed}`);
	const embedding = new Float32Array(BUCKETS * DIMENSIONS);
	for (let i = 0; i < embedding.length; i += 2) {
		const radius = INITIAL_SCALE * Math.sqrt(-2 * Math.log(1 - random.next()));
		const angle = 2 * Math.PI * random.next();
		embedding[i] = radius * Math.cos(angle);
		embedding[i + 1] = radius * Math.sin(angle);
	}
	const scalars = new Float32Array(SCALAR_COUNT);
	for (const kind of DECISION_KINDS) for (const scalar of SCALARS) scalars[scalarAt(kind, scalar)] = START[scalar];
	return { embedding, identity: new Float32Array(IDENTITY_ROWS * DIMENSIONS), scalars, version: 0 };
}

/** A copy that can be trained apart. */
export function copyParameters(from: Parameters): Parameters {
	return { embedding: from.embedding.slice(), identity: from.identity.slice(), scalars: from.scalars.slice(), version: 0 };
}
