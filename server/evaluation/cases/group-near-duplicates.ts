import { setImmediate } from "node:timers/promises";
import { charNgrams } from "@/server/kernel/text";

export const NEAR_DUPLICATE = 0.6;
/** A gram of more texts than this is boilerplate: it is not followed, so that templated files stay fast. */
const MAX_FOLLOWED = 2_000;

/** Each text's 3-grams as ranks by rarity (0 = rarest), ascending. */
async function rankGrams(texts: readonly string[], giveWay: () => Promise<void>): Promise<Int32Array[]> {
	const sets: ReadonlySet<string>[] = [];
	const frequency = new Map<string, number>();
	for (const text of texts) {
		await giveWay();
		const set = charNgrams(text, 3);
		for (const gram of set) frequency.set(gram, (frequency.get(gram) ?? 0) + 1);
		sets.push(set);
	}
	const rank = new Map([...frequency].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([gram], i) => [gram, i]));
	const ranked: Int32Array[] = [];
	for (const set of sets) {
		await giveWay();
		ranked.push(Int32Array.from(set, (gram) => rank.get(gram) ?? 0).sort());
	}
	return ranked;
}

/**
 * Whether two ascending lists share at least `needed` values. Ends as
 * soon as what is left cannot decide otherwise.
 */
function sharesEnough(a: Int32Array, b: Int32Array, needed: number): boolean {
	let [i, j, both] = [0, 0, 0];
	while (both + Math.min(a.length - i, b.length - j) >= needed) {
		if (both >= needed) return true;
		const [x, y] = [a[i] as number, b[j] as number];
		if (x === y) both++;
		if (x <= y) i++;
		if (y <= x) j++;
	}
	return false;
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

/** How long a slice of work may keep this process from anything else. */
const SLICE_MS = 20;

/** Gives way to whatever else this process has to do, once a slice is used up. */
function createSlices() {
	let startedAt = performance.now();
	return async () => {
		if (performance.now() - startedAt < SLICE_MS) return;
		await setImmediate();
		startedAt = performance.now();
	};
}

/** The fewest grams that two sets of these sizes share when their Jaccard is above the threshold. */
function leastShared(sizes: number, threshold: number): number {
	let needed = Math.floor((threshold / (1 + threshold)) * sizes);
	while (needed <= threshold * (sizes - needed)) needed++;
	return needed;
}

/** What one text shares with those before it, of the rarest grams of each. */
class Shared {
	readonly others: number[] = [];
	private readonly counts: Int32Array;
	/** Where the last shared gram stands: here, and there. */
	private readonly here: Int32Array;
	private readonly there: Int32Array;

	constructor(size: number) {
		[this.counts, this.here, this.there] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
	}

	clear(): void {
		for (const j of this.others) this.counts[j] = 0;
		this.others.length = 0;
	}

	note(j: number, at: number, place: number): void {
		if (this.counts[j] === 0) this.others.push(j);
		this.counts[j] = (this.counts[j] as number) + 1;
		[this.here[j], this.there[j]] = [at, place];
	}

	/** The most that both can share: what was found, and what may stand behind the rarest grams of the one whose end first. */
	most(j: number, mine: Ranked, other: Ranked): number {
		const rest =
			(mine.grams[mine.prefix - 1] as number) <= (other.grams[other.prefix - 1] as number)
				? Math.min(mine.grams.length - mine.prefix, other.grams.length - (this.there[j] as number) - 1)
				: Math.min(other.grams.length - other.prefix, mine.grams.length - (this.here[j] as number) - 1);
		return (this.counts[j] as number) + rest;
	}
}

interface Ranked {
	grams: Int32Array;
	/** How many of the rarest are looked up. */
	prefix: number;
}

/**
 * Groups of near-duplicates: texts are in one group when a chain of pairs with a character 3-gram Jaccard above the
 * threshold joins them. Returns for each text the smallest index of its group. Without comparing all with all: two sets
 * with Jaccard ≥ t share a gram among the |x| − ⌈t·|x|⌉ + 1 rarest of each (prefix filter, Chaudhuri et al. 2006), and so
 * many of those that the rest can make up for what is missing (positional filter, Xiao et al. 2008); texts that are in one
 * group already need no look. Exact unless a gram occurs in more than 2,000 texts. Works in slices: a server goes on
 * answering meanwhile.
 */
export async function groupNearDuplicates(texts: readonly string[], threshold = NEAR_DUPLICATE): Promise<number[]> {
	const giveWay = createSlices();
	const ranked = (await rankGrams(texts, giveWay)).map(
		(grams): Ranked => ({ grams, prefix: Math.min(grams.length, grams.length - Math.ceil(threshold * grams.length) + 1) }),
	);
	const order = ranked.map((_, i) => i).sort((a, b) => (ranked[a]?.grams.length ?? 0) - (ranked[b]?.grams.length ?? 0));
	/** By gram: texts that have it among their rarest, each followed by the place where. */
	const index = new Map<number, number[]>();
	const shared = new Shared(texts.length);
	const forest = createForest(texts.length);
	for (const i of order) {
		await giveWay();
		const mine = ranked[i] as Ranked;
		let skipped = 0;
		for (let at = 0; at < mine.prefix; at++) {
			const gram = mine.grams[at] as number;
			const list = index.get(gram) ?? [];
			if (list.length > 2 * MAX_FOLLOWED) skipped++;
			else for (let k = 0; k < list.length; k += 2) shared.note(list[k] as number, at, list[k + 1] as number);
			list.push(i, at);
			index.set(gram, list);
		}
		for (const j of shared.others) {
			const other = ranked[j] as Ranked;
			const needed = leastShared(mine.grams.length + other.grams.length, threshold);
			if (shared.most(j, mine, other) + skipped < needed || forest.find(i) === forest.find(j)) continue;
			if (sharesEnough(other.grams, mine.grams, needed)) forest.join(i, j);
		}
		shared.clear();
	}
	return texts.map((_, i) => forest.find(i));
}
