import { DIMENSIONS, type Features } from "./features";

/** How many components are summed at once: they stay in registers. */
const BLOCK = 8;

/**
 * target[at …] += Σ weights[i] · row rows[i] of the table, for i in [from, to). Every partial sum is rounded to single
 * precision, as it would be in the array: in blocks or not, the bits are the same.
 */
export function addRows(target: Float32Array, at: number, table: Float32Array, rows: Uint32Array, weights: Float32Array, from: number, to: number): void {
	const { fround } = Math;
	for (let d = 0; d < DIMENSIONS; d += BLOCK) {
		const own = at + d;
		let a = target[own] as number;
		let b = target[own + 1] as number;
		let c = target[own + 2] as number;
		let e = target[own + 3] as number;
		let f = target[own + 4] as number;
		let g = target[own + 5] as number;
		let h = target[own + 6] as number;
		let k = target[own + 7] as number;
		for (let i = from; i < to; i++) {
			const row = (rows[i] as number) * DIMENSIONS + d;
			const weight = weights[i] as number;
			a = fround(a + weight * (table[row] as number));
			b = fround(b + weight * (table[row + 1] as number));
			c = fround(c + weight * (table[row + 2] as number));
			e = fround(e + weight * (table[row + 3] as number));
			f = fround(f + weight * (table[row + 4] as number));
			g = fround(g + weight * (table[row + 5] as number));
			h = fround(h + weight * (table[row + 6] as number));
			k = fround(k + weight * (table[row + 7] as number));
		}
		target[own] = a;
		target[own + 1] = b;
		target[own + 2] = c;
		target[own + 3] = e;
		target[own + 4] = f;
		target[own + 5] = g;
		target[own + 6] = h;
		target[own + 7] = k;
	}
}

/** target[at …] += scale · vector[from …], one row. */
export function addScaled(target: Float32Array, at: number, vector: Float32Array, from: number, scale: number): void {
	for (let d = 0; d < DIMENSIONS; d++) target[at + d] = (target[at + d] as number) + scale * (vector[from + d] as number);
}

/** Rows by number of something, packed in the order in which they came: a step reads them one after the other. */
export class PackedRows {
	values = new Float32Array(256 * DIMENSIONS);

	/** Makes place for the row at `slot`, all zero. */
	open(slot: number): void {
		if ((slot + 1) * DIMENSIONS > this.values.length) {
			const larger = new Float32Array(this.values.length * 2);
			larger.set(this.values);
			this.values = larger;
		}
		this.values.fill(0, slot * DIMENSIONS, (slot + 1) * DIMENSIONS);
	}
}

/** The rows of a table that a step touches, in the order in which they were touched first. */
export class SparseTable {
	private readonly slots: Int32Array;
	private readonly packed = new PackedRows();
	/** Place `i` of the values belongs to row `rows[i]`. */
	readonly rows: number[] = [];

	constructor(rows: number) {
		this.slots = new Int32Array(rows).fill(-1);
	}

	get values(): Float32Array {
		return this.packed.values;
	}

	private slotOf(row: number): number {
		const known = this.slots[row] as number;
		if (known >= 0) return known;
		const slot = this.rows.push(row) - 1;
		this.slots[row] = slot;
		this.packed.open(slot);
		return slot;
	}

	add(row: number, vector: Float32Array, scale: number): void {
		const slot = this.slotOf(row);
		addScaled(this.values, slot * DIMENSIONS, vector, 0, scale);
	}

	/**
	 * Adds the vector of each text to the rows of its grams, times their weights: sorted by row first, so that a row is
	 * written once. `vectors` holds them in the order of the texts.
	 */
	addTexts(texts: readonly Features[], vectors: Float32Array): void {
		const size = texts.reduce((sum, { buckets }) => sum + buckets.length, 0);
		const places = new Uint32Array(size);
		let n = 0;
		for (const { buckets } of texts) for (let i = 0; i < buckets.length; i++) places[n++] = this.slotOf(buckets[i] as number);
		const ends = new Uint32Array(this.rows.length + 1);
		for (let i = 0; i < size; i++) ends[places[i] as number] = (ends[places[i] as number] as number) + 1;
		let sum = 0;
		for (let slot = 0; slot < ends.length; slot++) {
			const count = ends[slot] as number;
			ends[slot] = sum;
			sum += count;
		}
		// Each entry moves its row's end on: from the start of the row to the start of the next.
		const [from, weights] = [new Uint32Array(size), new Float32Array(size)];
		n = 0;
		for (let number = 0; number < texts.length; number++) {
			const own = (texts[number] as Features).weights;
			for (let i = 0; i < own.length; i++) {
				const slot = places[n++] as number;
				const at = ends[slot] as number;
				ends[slot] = at + 1;
				from[at] = number;
				weights[at] = own[i] as number;
			}
		}
		let start = 0;
		for (let slot = 0; slot < this.rows.length; slot++) {
			const end = ends[slot] as number;
			if (end > start) addRows(this.values, slot * DIMENSIONS, vectors, from, weights, start, end);
			start = end;
		}
	}

	/** Component `d` of a row. */
	valueAt(row: number, d: number): number {
		const slot = this.slots[row] as number;
		return slot < 0 ? 0 : (this.values[slot * DIMENSIONS + d] as number);
	}

	/** Adds the squares of all components to `sum`, one after the other. */
	addSquares(sum: number): number {
		const { values } = this;
		let squares = sum;
		for (let i = 0; i < this.rows.length * DIMENSIONS; i++) squares += (values[i] as number) * (values[i] as number);
		return squares;
	}

	clear(): void {
		for (const row of this.rows) this.slots[row] = -1;
		this.rows.length = 0;
	}
}
