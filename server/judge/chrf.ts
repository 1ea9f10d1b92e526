/** Settings of the published measure (Popović 2015): character n-grams up to 6, recall weighted β = 2, white space removed. */
const MAX_ORDER = 6;
const BETA = 2;
const CACHE_LIMIT = 6000;
const GRAM_LIMIT = 3_000_000;

/** One order's n-grams: ids in ascending order with their counts, so that two texts are compared by one merge. */
interface Profile {
	ids: Int32Array;
	counts: Int32Array;
	total: number;
}

const grams = new Map<string, number>();
const profiles = new Map<string, Profile[]>();
const scores = new Map<string, Map<string, number>>();

function profileOf(chars: readonly string[], n: number): Profile {
	const counts = new Map<number, number>();
	const whole = chars.join("");
	// Where no character takes two units, a gram is a stretch of the text.
	const plain = whole.length === chars.length;
	for (let i = 0; i + n <= chars.length; i++) {
		const gram = plain ? whole.slice(i, i + n) : chars.slice(i, i + n).join("");
		let id = grams.get(gram);
		if (id === undefined) {
			id = grams.size;
			grams.set(gram, id);
		}
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	const ids = Int32Array.from(counts.keys()).sort((a, b) => a - b);
	return { ids, counts: ids.map((id) => counts.get(id) ?? 0), total: Math.max(0, chars.length - n + 1) };
}

function profilesOf(text: string): Profile[] {
	const known = profiles.get(text);
	if (known) return known;
	if (profiles.size >= CACHE_LIMIT || grams.size >= GRAM_LIMIT) {
		grams.clear();
		profiles.clear();
	}
	const chars = [...text.replace(/\s+/gu, "")];
	const made = Array.from({ length: MAX_ORDER }, (_, i) => profileOf(chars, i + 1));
	profiles.set(text, made);
	return made;
}

function sharedCount(a: Profile, b: Profile): number {
	let shared = 0;
	let i = 0;
	let j = 0;
	while (i < a.ids.length && j < b.ids.length) {
		const x = a.ids[i] as number;
		const y = b.ids[j] as number;
		if (x === y) {
			shared += Math.min(a.counts[i] as number, b.counts[j] as number);
			i++;
			j++;
		} else if (x < y) i++;
		else j++;
	}
	return shared;
}

function computeChrf(hypothesis: string, reference: string): number {
	// The second look-up may have cleared what the first one made: both must come from one table of grams.
	profilesOf(hypothesis);
	const ref = profilesOf(reference);
	const hyp = profilesOf(hypothesis);
	let precision = 0;
	let recall = 0;
	let orders = 0;
	for (let n = 0; n < MAX_ORDER; n++) {
		const h = hyp[n] as Profile;
		const r = ref[n] as Profile;
		if (h.total === 0 || r.total === 0) continue;
		const shared = sharedCount(h, r);
		precision += shared / h.total;
		recall += shared / r.total;
		orders++;
	}
	if (orders === 0) return 0;
	const p = precision / orders;
	const q = recall / orders;
	const denominator = BETA * BETA * p + q;
	return denominator === 0 ? 0 : ((1 + BETA * BETA) * p * q) / denominator;
}

/**
 * chrF of a hypothesis against a reference, in [0, 1]: the F-score with β = 2 of character n-gram precision and recall,
 * each averaged over the orders 1 to 6 that both texts are long enough to have ("effective order", as in sacrebleu).
 */
export function chrf(hypothesis: string, reference: string): number {
	let own = scores.get(hypothesis);
	if (!own) {
		if (scores.size >= CACHE_LIMIT) scores.clear();
		own = new Map();
		scores.set(hypothesis, own);
	}
	let score = own.get(reference);
	if (score === undefined) {
		score = computeChrf(hypothesis, reference);
		own.set(reference, score);
	}
	return score;
}

const PLACEHOLDER = /\{\{[^{}]*\}\}/gu;

/**
 * chrF with placeholders as wildcards: what stands between double braces counts in neither text, so that a reply that filled
 * a placeholder and one that kept it are compared by the wording around it.
 */
export function chrfWithWildcards(hypothesis: string, reference: string): number {
	return chrf(hypothesis.replace(PLACEHOLDER, " "), reference.replace(PLACEHOLDER, " "));
}
