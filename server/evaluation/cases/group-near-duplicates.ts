import { charNgrams } from "@/server/kernel/text";

export const NEAR_DUPLICATE = 0.6;
/** A gram of more texts than this is boilerplate: it is not followed, so that templated files stay fast. */
const MAX_FOLLOWED = 2_000;

/** Each text's 3-grams as ranks by rarity (0 = rarest), ascending. */
function rankGrams(texts: readonly string[]): Int32Array[] {
	const sets = texts.map((text) => charNgrams(text, 3));
	const frequency = new Map<string, number>();
	for (const set of sets) for (const gram of set) frequency.set(gram, (frequency.get(gram) ?? 0) + 1);
	const rank = new Map([...frequency].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([gram], i) => [gram, i]));
	return sets.map((set) => Int32Array.from(set, (gram) => rank.get(gram) ?? 0).sort());
}

function jaccardOfSorted(a: Int32Array, b: Int32Array): number {
	let [i, j, both] = [0, 0, 0];
	while (i < a.length && j < b.length) {
		const [x, y] = [a[i] as number, b[j] as number];
		if (x === y) both++;
		if (x <= y) i++;
		if (y <= x) j++;
	}
	return both === 0 ? 0 : both / (a.length + b.length - both);
}

function createForest(size: number) {
	const parent = Int32Array.from({ length: size }, (_, i) => i);
	const find = (i: number): number => {
		let node = i;
		while (parent[node] !== node) {
			parent[node] = parent[parent[node] as number] as number;
			node = parent[node] as number;
		}
		return node;
	};
	const join = (a: number, b: number) => {
		const [x, y] = [find(a), find(b)];
		if (x !== y) parent[Math.max(x, y)] = Math.min(x, y);
	};
	return { find, join };
}

/**
 * Groups of near-duplicates: texts are in one group when a chain of pairs with a character 3-gram Jaccard above the
 * threshold joins them. Returns for each text the smallest index of its group. Without comparing all with all: two sets
 * with Jaccard ≥ t share a gram among the |x| − ⌈t·|x|⌉ + 1 rarest of each (prefix filter, Chaudhuri et al. 2006), and
 * texts that are in one group already need no look. Exact unless a gram occurs in more than 2,000 texts.
 */
export function groupNearDuplicates(texts: readonly string[], threshold = NEAR_DUPLICATE): number[] {
	const grams = rankGrams(texts);
	const order = grams.map((_, i) => i).sort((a, b) => (grams[a]?.length ?? 0) - (grams[b]?.length ?? 0));
	const index = new Map<number, number[]>();
	const seenBy = new Int32Array(texts.length).fill(-1);
	const forest = createForest(texts.length);
	for (const i of order) {
		const mine = grams[i] as Int32Array;
		const prefix = mine.subarray(0, mine.length - Math.ceil(threshold * mine.length) + 1);
		for (const gram of prefix) {
			const list = index.get(gram);
			if (!list) {
				index.set(gram, [i]);
				continue;
			}
			if (list.length <= MAX_FOLLOWED) {
				for (const j of list) {
					if (seenBy[j] === i) continue;
					seenBy[j] = i;
					const other = grams[j] as Int32Array;
					if (other.length < threshold * mine.length || forest.find(i) === forest.find(j)) continue;
					if (jaccardOfSorted(other, mine) > threshold) forest.join(i, j);
				}
			}
			list.push(i);
		}
	}
	return texts.map((_, i) => forest.find(i));
}
