import type { Candidate, DecisionInput } from "./decision";
import { DIMENSIONS, type Features } from "./features";
import type { Gradient } from "./gradient";
import { type Parameters as Learned, scalarAt } from "./parameters";
import { addRows, addScaled } from "./sparse-table";

export interface ScoreOptions {
	/** Leaves the identity embeddings out. */
	withoutIdentity?: boolean;
	/** Leaves the lexical overlap out. */
	withoutLexical?: boolean;
}

/**
 * The learned score of candidates: for a situation x and a candidate c of a kind k of decision
 *   z = e(x) · (γ_k e(c) + id(c)) + λ_k lexical(x, c) + π_k plan(c) + β_k none(c),   e(t) = Σ w_g E_g over the grams of t, ‖w‖ = 1.
 * One forward pass serves acting and training; `backward` is its derivative, written by hand.
 */
export class Scorer {
	private readonly encoded = new WeakMap<Features, { version: number; vector: Float32Array }>();

	constructor(
		readonly parameters: Learned,
		readonly options: ScoreOptions = {},
	) {}

	/** e(t); remembered until the parameters change. */
	encode(features: Features): Float32Array {
		const known = this.encoded.get(features);
		if (known?.version === this.parameters.version) return known.vector;
		const vector = known?.vector.fill(0) ?? new Float32Array(DIMENSIONS);
		addRows(vector, 0, this.parameters.embedding, features.buckets, features.weights, 0, features.buckets.length);
		this.encoded.set(features, { version: this.parameters.version, vector });
		return vector;
	}

	/** One logit for each candidate. */
	score({ kind, situation, candidates }: DecisionInput): Float64Array {
		const x = this.encode(situation);
		const { scalars } = this.parameters;
		const dot = scalars[scalarAt(kind, "dot")] as number;
		const lexical = this.options.withoutLexical ? 0 : (scalars[scalarAt(kind, "lexical")] as number);
		const plan = scalars[scalarAt(kind, "plan")] as number;
		const none = scalars[scalarAt(kind, "none")] as number;
		const logits = new Float64Array(candidates.length);
		for (let i = 0; i < candidates.length; i++) {
			const candidate = candidates[i] as Candidate;
			logits[i] = lexical * candidate.lexical + plan * candidate.plan + none * candidate.none + dot * this.textDot(x, candidate) + this.nameDot(x, candidate);
		}
		return logits;
	}

	private textDot(x: Float32Array, { features }: Candidate): number {
		if (!features) return 0;
		const c = this.encode(features);
		let sum = 0;
		for (let d = 0; d < DIMENSIONS; d++) sum += (x[d] as number) * (c[d] as number);
		return sum;
	}

	private nameDot(x: Float32Array, { identity }: Candidate): number {
		if (this.options.withoutIdentity) return 0;
		const at = identity * DIMENSIONS;
		const { identity: names } = this.parameters;
		let sum = 0;
		for (let d = 0; d < DIMENSIONS; d++) sum += (x[d] as number) * (names[at + d] as number);
		return sum;
	}

	/** Adds d(loss)/d(parameters) to `gradient`, given d(loss)/d(logits). */
	backward({ kind, situation, candidates }: DecisionInput, slopes: ArrayLike<number>, gradient: Gradient): void {
		const x = this.encode(situation);
		const { scalars, identity } = this.parameters;
		const dot = scalars[scalarAt(kind, "dot")] as number;
		const toX = new Float32Array(DIMENSIONS);
		const ways = { lexical: scalarAt(kind, "lexical"), plan: scalarAt(kind, "plan"), none: scalarAt(kind, "none"), dot: scalarAt(kind, "dot") };
		const add = (at: number, slope: number) => {
			gradient.scalars[at] = (gradient.scalars[at] as number) + slope;
		};
		for (let i = 0; i < candidates.length; i++) {
			const candidate = candidates[i] as Candidate;
			const slope = slopes[i] as number;
			if (slope === 0) continue;
			if (!this.options.withoutLexical) add(ways.lexical, slope * candidate.lexical);
			add(ways.plan, slope * candidate.plan);
			add(ways.none, slope * candidate.none);
			if (!this.options.withoutIdentity) {
				addScaled(toX, 0, identity, candidate.identity * DIMENSIONS, slope);
				gradient.addIdentity(candidate.identity, x, slope);
			}
			if (!candidate.features) continue;
			add(ways.dot, slope * this.textDot(x, candidate));
			addScaled(toX, 0, this.encode(candidate.features), 0, slope * dot);
			gradient.addText(candidate.features, x, slope * dot);
		}
		gradient.addText(situation, toX, 1);
	}
}
