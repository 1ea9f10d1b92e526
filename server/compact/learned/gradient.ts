import { BUCKETS, DIMENSIONS, type Features, IDENTITY_ROWS } from "./features";
import { SCALAR_COUNT } from "./parameters";

/** A table of which few rows change in a step. */
export class SparseTable {
	readonly values: Float32Array;
	private readonly marked: Uint8Array;
	rows: number[] = [];

	constructor(rows: number) {
		this.values = new Float32Array(rows * DIMENSIONS);
		this.marked = new Uint8Array(rows);
	}

	add(row: number, vector: Float32Array, scale: number): void {
		if (this.marked[row] === 0) {
			this.marked[row] = 1;
			this.rows.push(row);
		}
		const at = row * DIMENSIONS;
		for (let d = 0; d < DIMENSIONS; d++) this.values[at + d] = (this.values[at + d] as number) + scale * (vector[d] as number);
	}

	clear(): void {
		for (const row of this.rows) {
			this.values.fill(0, row * DIMENSIONS, (row + 1) * DIMENSIONS);
			this.marked[row] = 0;
		}
		this.rows = [];
	}
}

/** The derivative of a loss with respect to all parameters, gathered over a batch. */
export class Gradient {
	readonly embedding = new SparseTable(BUCKETS);
	readonly identity = new SparseTable(IDENTITY_ROWS);
	readonly scalars = new Float64Array(SCALAR_COUNT);
	/** By text: many decisions share a candidate, so its grams are written once a step. */
	private readonly texts = new Map<Features, Float32Array>();

	addText(features: Features, vector: Float32Array, scale: number): void {
		let sum = this.texts.get(features);
		if (!sum) {
			sum = new Float32Array(DIMENSIONS);
			this.texts.set(features, sum);
		}
		for (let d = 0; d < DIMENSIONS; d++) sum[d] = (sum[d] as number) + scale * (vector[d] as number);
	}

	/** Writes what was gathered by text into the rows of its grams. Called by whoever reads them. */
	flush(): void {
		for (const [{ buckets, weights }, vector] of this.texts) {
			for (let i = 0; i < buckets.length; i++) this.embedding.add(buckets[i] as number, vector, weights[i] as number);
		}
		this.texts.clear();
	}

	addIdentity(row: number, vector: Float32Array, scale: number): void {
		this.identity.add(row, vector, scale);
	}

	/** Euclidean length over everything. */
	norm(): number {
		this.flush();
		let squares = 0;
		for (const value of this.scalars) squares += value * value;
		for (const table of [this.embedding, this.identity]) {
			for (const row of table.rows) {
				for (let d = row * DIMENSIONS; d < (row + 1) * DIMENSIONS; d++) {
					const value = table.values[d] as number;
					squares += value * value;
				}
			}
		}
		return Math.sqrt(squares);
	}

	clear(): void {
		this.texts.clear();
		this.embedding.clear();
		this.identity.clear();
		this.scalars.fill(0);
	}
}
