import { chrfWithWildcards } from "./chrf";

/**
 * The measure `reference-intent`, fixed before the editing engine was written. A reply resolves its intent when it is close
 * enough to one of the intent's references and closer to them than to those of any other intent.
 */
const MIN_CHRF = 0.4;

export interface IntentMatch {
	own: number;
	other: number;
	/** The other intent that comes closest. */
	rival: string | null;
	nearEnough: boolean;
	closest: boolean;
	effectiveness: 0 | 0.5 | 1;
}

function best(reply: string, references: readonly string[]): number {
	let top = 0;
	for (const reference of references) top = Math.max(top, chrfWithWildcards(reply, reference));
	return top;
}

/** Scores a reply: 1 when both conditions hold, 0.5 when it is closest to its own intent but not close enough, else 0. */
export function matchIntent(reply: string, references: { own: string[]; others: Record<string, string[]> }): IntentMatch {
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
	return { own, other, rival, nearEnough, closest, effectiveness: closest ? (nearEnough ? 1 : 0.5) : 0 };
}
