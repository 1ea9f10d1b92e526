import { BUCKETS, DIMENSIONS, type Features, IDENTITY_ROWS } from "./features";
import { SCALAR_COUNT } from "./parameters";
import { addScaled, PackedRows, SparseTable } from "./sparse-table";

/** The derivative of a loss with respect to all parameters, gathered over a batch. */
export class Gradient {
	readonly embedding = new SparseTable(BUCKETS);
	readonly identity = new SparseTable(IDENTITY_ROWS);
	readonly scalars = new Float64Array(SCALAR_COUNT);
	/** By text: many decisions share a candidate, so its grams are written once a step. */
	private readonly texts = new Map<Features, number>();
	private readonly sums = new PackedRows();

	addText(features: Features, vector: Float32Array, scale: number): void {
		let slot = this.texts.get(features);
		if (slot === undefined) {
			slot = this.texts.size;
			this.texts.set(features, slot);
			this.sums.open(slot);
		}
		addScaled(this.sums.values, slot * DIMENSIONS, vector, 0, scale);
	}

	/** Writes what was gathered by text into the rows of its grams. Called by whoever reads them. */
	flush(): void {
		if (this.texts.size === 0) return;
		this.embedding.addTexts([...this.texts.keys()], this.sums.values);
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
		for (const table of [this.embedding, this.identity]) squares = table.addSquares(squares);
		return Math.sqrt(squares);
	}

	clear(): void {
		this.texts.clear();
		this.embedding.clear();
		this.identity.clear();
		this.scalars.fill(0);
	}
}
