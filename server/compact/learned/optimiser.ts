import { DIMENSIONS } from "./features";
import type { Gradient } from "./gradient";
import type { Parameters } from "./parameters";
import type { SparseTable } from "./sparse-table";

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

export interface LearningRates {
	/** Of scalars and identity rows. */
	rate: number;
	/** The encoder's share of it; how strong the identity shortcut is depends on this choice of ours. */
	encoder: number;
	/** Of the scalars' share: they start where the lexical policy stands, and are few. */
	scalars: number;
	/** Factor on the whole gradient; 1 unless given. */
	bound?: number;
}

interface MomentPair {
	first: Float32Array;
	second: Float32Array;
}

const pair = (length: number): MomentPair => ({ first: new Float32Array(length), second: new Float32Array(length) });

/** All that a resumed training needs beside the parameters. */
export interface OptimiserState {
	steps: number;
	moments: Float32Array[];
}

/** Adam (arXiv 1412.6980) on the rows that a step touched; a row that is not touched keeps its moments. */
export class Optimiser {
	steps = 0;
	private bound = 1;
	private bias1 = 1;
	private bias2 = 1;
	readonly embedding: MomentPair;
	readonly identity: MomentPair;
	readonly scalars: MomentPair;

	constructor(private readonly parameters: Parameters) {
		this.embedding = pair(parameters.embedding.length);
		this.identity = pair(parameters.identity.length);
		this.scalars = pair(parameters.scalars.length);
	}

	/** A view of the moments; not a copy. */
	state(): OptimiserState {
		const pairs = [this.embedding, this.identity, this.scalars];
		return { steps: this.steps, moments: pairs.flatMap(({ first, second }) => [first, second]) };
	}

	/** Takes up where a saved one stood. Throws RangeError for moments of another size. */
	restore({ steps, moments }: OptimiserState): void {
		this.steps = steps;
		this.state().moments.forEach((own, i) => {
			const saved = moments[i];
			if (saved?.length !== own.length) throw new RangeError("The saved moments are of another size.");
			own.set(saved);
		});
	}

	/** One step down the gradient, which is cleared. */
	step(gradient: Gradient, { rate, encoder, scalars, bound = 1 }: LearningRates): void {
		gradient.flush();
		this.steps += 1;
		this.bound = bound;
		this.bias1 = 1 - BETA1 ** this.steps;
		this.bias2 = 1 - BETA2 ** this.steps;
		this.stepTable(this.parameters.embedding, gradient.embedding, this.embedding, rate * encoder);
		this.stepTable(this.parameters.identity, gradient.identity, this.identity, rate);
		for (let i = 0; i < this.parameters.scalars.length; i++) {
			const slope = gradient.scalars[i] as number;
			if (slope !== 0) this.move(this.parameters.scalars, this.scalars, i, slope, rate * scalars);
		}
		this.parameters.version += 1;
		gradient.clear();
	}

	private stepTable(values: Float32Array, gradient: SparseTable, moments: MomentPair, rate: number): void {
		if (rate === 0) return;
		const { rows, values: slopes } = gradient;
		for (let slot = 0; slot < rows.length; slot++) this.moveRow(values, moments, (rows[slot] as number) * DIMENSIONS, slopes, slot * DIMENSIONS, rate);
	}

	private moveRow(values: Float32Array, { first, second }: MomentPair, at: number, slopes: Float32Array, from: number, rate: number): void {
		const { bound, bias1, bias2 } = this;
		for (let d = 0; d < DIMENSIONS; d++) {
			const i = at + d;
			const slope = (slopes[from + d] as number) * bound;
			first[i] = BETA1 * (first[i] as number) + (1 - BETA1) * slope;
			second[i] = BETA2 * (second[i] as number) + (1 - BETA2) * slope * slope;
			const mean = (first[i] as number) / bias1;
			const spread = (second[i] as number) / bias2;
			values[i] = (values[i] as number) - (rate * mean) / (Math.sqrt(spread) + EPSILON);
		}
	}

	private move(values: Float32Array, { first, second }: MomentPair, i: number, raw: number, rate: number): void {
		const slope = raw * this.bound;
		first[i] = BETA1 * (first[i] as number) + (1 - BETA1) * slope;
		second[i] = BETA2 * (second[i] as number) + (1 - BETA2) * slope * slope;
		const mean = (first[i] as number) / this.bias1;
		const spread = (second[i] as number) / this.bias2;
		values[i] = (values[i] as number) - (rate * mean) / (Math.sqrt(spread) + EPSILON);
	}
}
