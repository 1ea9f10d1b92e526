import { type Encoded, encodeText, type FeatureWeights } from "./encode-text";
import { joinScores, scoreShared } from "./text-group";

/** Of ours, as the settings in `text-group.ts` are. */
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

function scoreAlternative(situation: Encoded, text: string, weights: FeatureWeights): number {
	const { shared, total } = overlap(situation, encodeText(text), weights);
	return scoreShared(shared, total);
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
	return joinScores(best, next, said === 0 ? 0 : shared / said);
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
