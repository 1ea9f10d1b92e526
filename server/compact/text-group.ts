import { type Encoded, encodeText } from "./encode-text";

/** Settings of ours; chosen on development cases and on public English requests, never on test cases. */
const HALF_STRENGTH = 1.4;
const COVERAGE_POWER = 1.5;
const BEST = 0.55;
const NEXT = 0.15;
const SHARE = 0.3;

/** One way to meet a candidate: how completely it is said, tempered by how much that tells. */
export const scoreShared = (shared: number, total: number): number =>
	total === 0 ? 0 : (shared / total) ** COVERAGE_POWER * (shared / (shared + HALF_STRENGTH));

/** A candidate's score from its best two ways and the share of the situation that it explains. */
export const joinScores = (best: number, next: number, explained: number): number => BEST * best + NEXT * next + SHARE * explained;

export interface GroupCandidate {
	alternatives: readonly string[];
	text: string;
}

/** Numbers of a list of lists, one after the other. */
interface Rows {
	starts: Uint32Array;
	slots: Uint32Array;
	weights: Float64Array;
}

function toRows(lists: readonly (readonly [slot: number, weight: number][])[]): Rows {
	const size = lists.reduce((sum, list) => sum + list.length, 0);
	const rows: Rows = { starts: new Uint32Array(lists.length + 1), slots: new Uint32Array(size), weights: new Float64Array(size) };
	let at = 0;
	lists.forEach((list, i) => {
		for (const [slot, weight] of list) {
			rows.slots[at] = slot;
			rows.weights[at] = weight;
			at += 1;
		}
		rows.starts[i + 1] = at;
	});
	return rows;
}

/** How rare each feature of a group is, under one set of offers; totals of its texts as they are asked for. */
export interface GroupWeights {
	idf: Float64Array;
	totals: Float64Array;
}

/**
 * Candidates that a harness offers together (its skills, the rules of one skill, its tools), prepared once for every
 * situation and for every set of offers that they are weighed among.
 */
export class TextGroup {
	/** Feature → its place in the arrays. */
	private readonly slots = new Map<number, number>();
	/** In how many of the candidates' whole texts the feature of a slot is. */
	private readonly frequencies: Uint32Array;
	/** Features of each text: alternatives and whole texts share one numbering. */
	private readonly texts: Rows;
	/** Texts of each feature. */
	private readonly postings: Rows;
	private readonly candidates: { alternatives: number[]; whole: number }[] = [];
	private readonly shares = new WeakMap<TextGroup, { slots: Uint32Array; counts: Uint32Array }>();

	constructor(candidates: readonly GroupCandidate[]) {
		const texts: [number, number][][] = [];
		const postings: [number, number][][] = [];
		const add = (text: string): number => {
			const own = [...encodeText(text)].map(([feature, weight]): [number, number] => [this.slotOf(feature), weight]);
			for (const [slot, weight] of own) {
				postings[slot] ??= [];
				postings[slot].push([texts.length, weight]);
			}
			return texts.push(own) - 1;
		};
		for (const { alternatives, text } of candidates) this.candidates.push({ alternatives: alternatives.map(add), whole: add(text) });
		this.texts = toRows(texts);
		this.postings = toRows(postings);
		this.frequencies = new Uint32Array(this.slots.size);
		for (const { whole } of this.candidates) for (const [slot] of texts[whole] ?? []) this.frequencies[slot] = (this.frequencies[slot] as number) + 1;
	}

	private slotOf(feature: number): number {
		const known = this.slots.get(feature);
		if (known !== undefined) return known;
		const slot = this.slots.size;
		this.slots.set(feature, slot);
		return slot;
	}

	get size(): number {
		return this.candidates.length;
	}

	/** In how many of the candidates' whole texts a feature is. */
	frequencyOf(feature: number): number {
		const slot = this.slots.get(feature);
		return slot === undefined ? 0 : (this.frequencies[slot] as number);
	}

	/** Which of this group's features are in another's whole texts, and in how many. */
	private sharedWith(other: TextGroup): { slots: Uint32Array; counts: Uint32Array } {
		const known = this.shares.get(other);
		if (known) return known;
		const pairs = [...this.slots].map(([feature, slot]) => [slot, other.frequencyOf(feature)] as const).filter(([, count]) => count > 0);
		const made = { slots: Uint32Array.from(pairs, ([slot]) => slot), counts: Uint32Array.from(pairs, ([, count]) => count) };
		this.shares.set(other, made);
		return made;
	}

	/** This group's features weighed among the whole texts of `groups`; `table` has the weight of a feature by how many of them have it. */
	weigh(groups: readonly TextGroup[], table: Float64Array): GroupWeights {
		const counts = new Uint32Array(this.slots.size);
		for (const group of groups) {
			const { slots, counts: own } = this.sharedWith(group);
			for (let i = 0; i < slots.length; i++) counts[slots[i] as number] = (counts[slots[i] as number] as number) + (own[i] as number);
		}
		const idf = new Float64Array(counts.length);
		for (let slot = 0; slot < idf.length; slot++) idf[slot] = table[counts[slot] as number] as number;
		return { idf, totals: new Float64Array(this.texts.starts.length - 1).fill(Number.NaN) };
	}

	private totalOf(text: number, { idf, totals }: GroupWeights): number {
		const known = totals[text] as number;
		if (!Number.isNaN(known)) return known;
		const { starts, slots, weights } = this.texts;
		let total = 0;
		for (let i = starts[text] as number; i < (starts[text + 1] as number); i++) total += (weights[i] as number) * (idf[slots[i] as number] as number);
		totals[text] = total;
		return total;
	}

	/** `scoreCandidate` of every candidate, in their order. `said` is all that the situation says, weighed. */
	scoreAll(situation: Encoded, own: GroupWeights, said: number): number[] {
		const shared = new Float64Array(own.totals.length);
		const { starts, slots: texts, weights: values } = this.postings;
		for (const [feature, weight] of situation) {
			const slot = this.slots.get(feature);
			if (slot === undefined) continue;
			const idf = own.idf[slot] as number;
			for (let i = starts[slot] as number; i < (starts[slot + 1] as number); i++) {
				const text = texts[i] as number;
				const value = values[i] as number;
				shared[text] = (shared[text] as number) + value * idf * Math.min(1, weight / value);
			}
		}
		return this.candidates.map(({ alternatives, whole }) => {
			let best = 0;
			let next = 0;
			for (const text of alternatives) {
				const met = shared[text] as number;
				if (met === 0) continue;
				const score = scoreShared(met, this.totalOf(text, own));
				if (score > best) {
					next = best;
					best = score;
				} else if (score > next) next = score;
			}
			return joinScores(best, next, said === 0 ? 0 : (shared[whole] as number) / said);
		});
	}
}
