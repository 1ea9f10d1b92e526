import { expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { DIMENSIONS, type Features } from "./features";
import { addRows, SparseTable } from "./sparse-table";

const random = createRandom(11);
const numbers = (length: number) => Float32Array.from({ length }, () => random.next() - 0.5);
const ROWS = 40;

/** Component by component in an array of single precision, one text after the other. */
function addPlainly(table: Float32Array, texts: readonly Features[], vectors: Float32Array): void {
	for (const [n, { buckets, weights }] of texts.entries())
		for (const [i, bucket] of buckets.entries())
			for (let d = 0; d < DIMENSIONS; d++) {
				const at = bucket * DIMENSIONS + d;
				table[at] = (table[at] as number) + (weights[i] as number) * (vectors[n * DIMENSIONS + d] as number);
			}
}

it("gathers the vectors of texts into rows, to the same bits as one after the other", () => {
	const table = new SparseTable(ROWS);
	const plain = new Float32Array(ROWS * DIMENSIONS);
	for (let round = 0; round < 3; round++) {
		const texts = Array.from({ length: 9 }, (): Features => {
			const size = random.int(12);
			return { buckets: Uint32Array.from({ length: size }, () => random.int(ROWS)), weights: numbers(size) };
		});
		const vectors = numbers(texts.length * DIMENSIONS);
		table.addTexts(texts, vectors);
		addPlainly(plain, texts, vectors);
		for (let row = 0; row < ROWS; row++) for (let d = 0; d < DIMENSIONS; d++) expect(table.valueAt(row, d)).toBe(plain[row * DIMENSIONS + d]);
	}
	table.clear();
	expect(table.rows).toHaveLength(0);
	expect(table.valueAt(3, 3)).toBe(0);
});

it("sums rows in blocks to the same bits as in the array", () => {
	const table = numbers(ROWS * DIMENSIONS);
	const rows = Uint32Array.from({ length: 25 }, () => random.int(ROWS));
	const weights = numbers(rows.length);
	const start = numbers(DIMENSIONS);
	const [target, plain] = [start.slice(), start.slice()];
	addRows(target, 0, table, rows, weights, 4, rows.length);
	for (let i = 4; i < rows.length; i++)
		for (let d = 0; d < DIMENSIONS; d++) plain[d] = (plain[d] as number) + (weights[i] as number) * (table[(rows[i] as number) * DIMENSIONS + d] as number);
	expect([...target]).toEqual([...plain]);
});
