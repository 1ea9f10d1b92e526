import { chrfWithWildcards } from "./chrf";

/**
 * The measure `reference-intent`: a reply resolves its intent when it is close enough to one of the intent's references AND
 * closer to them than to those of any other intent. Half of it is nothing: of 27 intents one is always the closest, also to
 * a reply that says nothing.
 */
export const MIN_CHRF = 0.4;

export interface IntentMatch {
	own: number;
	other: number;
	/** The other intent that comes closest. */
	rival: string | null;
	nearEnough: boolean;
	closest: boolean;
	effectiveness: 0 | 1;
}

function best(reply: string, references: readonly string[]): number {
	let top = 0;
	for (const reference of references) top = Math.max(top, chrfWithWildcards(reply, reference));
	return top;
}

interface References {
	own: string[];
	others: Record<string, string[]>;
}

/** By the references' object: whoever hands the same one in again gets the same replies back at once. */
const matches = new WeakMap<References, Map<string, IntentMatch>>();
const MOST_REMEMBERED = 5_000;

/** Scores a reply: 1 when both conditions hold, else 0. */
export function matchIntent(reply: string, references: References): IntentMatch {
	const known = matches.get(references) ?? new Map<string, IntentMatch>();
	matches.set(references, known);
	const before = known.get(reply);
	if (before) return before;
	const match = computeMatch(reply, references);
	if (known.size >= MOST_REMEMBERED) known.clear();
	known.set(reply, match);
	return match;
}

function computeMatch(reply: string, references: References): IntentMatch {
	const own = best(reply, references.own);
	let other = 0;
	let rival: string | null = null;
	for (const [intent, texts] of Object.entries(references.others)) {
		const score = best(reply, texts);
		if (score > other) {
			other = score;
			rival = intent;
		}
	}
	const nearEnough = own >= MIN_CHRF;
	const closest = own > other;
	return { own, other, rival, nearEnough, closest, effectiveness: closest && nearEnough ? 1 : 0 };
}
