import { type Encoded, encodeText, type FeatureWeights } from "./encode-text";

/** Settings of ours; chosen on development cases and on public English requests, never on test cases. */
const HALF_STRENGTH = 1.4;
const COVERAGE_POWER = 1.5;
const BEST = 0.55;
const NEXT = 0.15;
const SHARE = 0.3;
const TEMPERATURE = 0.08;

interface Overlap {
	shared: number;
	total: number;
}

function overlap(situation: Encoded, candidate: Encoded, weights: FeatureWeights): Overlap {
	let shared = 0;
	let total = 0;
	for (const [feature, weight] of candidate) {
		const value = weight * weights.of(feature);
		total += value;
		const said = situation.get(feature);
		if (said !== undefined) shared += value * Math.min(1, said / weight);
	}
	return { shared, total };
}

/** How much of a text's weight the situation covers, in [0, 1]. */
export function coverage(situation: Encoded, text: string, weights: FeatureWeights): number {
	const { shared, total } = overlap(situation, encodeText(text), weights);
	return total === 0 ? 0 : shared / total;
}

/** One way to meet a candidate: how completely it is said, tempered by how much that tells. */
function scoreAlternative(situation: Encoded, text: string, weights: FeatureWeights): number {
	const { shared, total } = overlap(situation, encodeText(text), weights);
	return total === 0 ? 0 : (shared / total) ** COVERAGE_POWER * (shared / (shared + HALF_STRENGTH));
}

/**
 * Similarity of a situation and a candidate that can be met in several ways, in [0, 1): its best way, a little of the
 * second best, and the share of the situation that the candidate explains.
 */
export function scoreCandidate(situation: Encoded, alternatives: readonly string[], text: string, weights: FeatureWeights): number {
	let best = 0;
	let next = 0;
	for (const alternative of alternatives) {
		const score = scoreAlternative(situation, alternative, weights);
		if (score > best) [best, next] = [score, best];
		else if (score > next) next = score;
	}
	const { shared } = overlap(situation, encodeText(text), weights);
	let said = 0;
	for (const [feature, weight] of situation) said += weight * weights.of(feature);
	return BEST * best + NEXT * next + SHARE * (said === 0 ? 0 : shared / said);
}

interface Entry {
	/** Index of the text (alternatives and whole texts share one numbering). */
	text: number;
	weight: number;
	value: number;
}

/** Candidates prepared for many situations: by feature, which of their texts have it. */
export class CandidateIndex {
	private readonly entries = new Map<number, Entry[]>();
	private readonly totals: number[] = [];
	/** For each candidate: its alternatives' text numbers, then the number of its whole text. */
	private readonly candidates: { alternatives: number[]; whole: number }[] = [];

	constructor(
		candidates: readonly { alternatives: readonly string[]; text: string }[],
		private readonly weights: FeatureWeights,
	) {
		for (const { alternatives, text } of candidates) this.candidates.push({ alternatives: alternatives.map((part) => this.add(part)), whole: this.add(text) });
	}

	private add(text: string): number {
		const number = this.totals.length;
		let total = 0;
		for (const [feature, weight] of encodeText(text)) {
			const value = weight * this.weights.of(feature);
			total += value;
			const list = this.entries.get(feature);
			if (list) list.push({ text: number, weight, value });
			else this.entries.set(feature, [{ text: number, weight, value }]);
		}
		this.totals.push(total);
		return number;
	}

	/** `scoreCandidate` of every candidate, in their order. */
	scoreAll(situation: Encoded): number[] {
		const shared = new Float64Array(this.totals.length);
		let said = 0;
		for (const [feature, weight] of situation) {
			said += weight * this.weights.of(feature);
			for (const entry of this.entries.get(feature) ?? []) {
				shared[entry.text] = (shared[entry.text] as number) + entry.value * Math.min(1, weight / entry.weight);
			}
		}
		return this.candidates.map(({ alternatives, whole }) => {
			let best = 0;
			let next = 0;
			for (const number of alternatives) {
				const own = shared[number] as number;
				const total = this.totals[number] as number;
				const score = total === 0 ? 0 : (own / total) ** COVERAGE_POWER * (own / (own + HALF_STRENGTH));
				if (score > best) [best, next] = [score, best];
				else if (score > next) next = score;
			}
			return BEST * best + NEXT * next + SHARE * (said === 0 ? 0 : (shared[whole] as number) / said);
		});
	}
}

export interface Decision {
	kind: string;
	chosen: string;
	logProbability: number;
	candidates: number;
}

/** log π of the chosen candidate under a softmax over all that are offered now. */
export function decide(kind: string, chosen: string, candidates: readonly { id: string; score: number }[]): Decision {
	const top = Math.max(...candidates.map((candidate) => candidate.score), 0);
	let sum = 0;
	let own = 0;
	for (const candidate of candidates) {
		const p = Math.exp((candidate.score - top) / TEMPERATURE);
		sum += p;
		if (candidate.id === chosen) own = p;
	}
	return { kind, chosen, logProbability: sum > 0 && own > 0 ? Math.log(own / sum) : 0, candidates: candidates.length };
}
