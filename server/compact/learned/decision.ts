import { logSoftmax } from "@/server/kernel/softmax";
import type { Features } from "./features";

/**
 * What the learned policy decides: which skill to open first, whether to open another, the rule that answers, a further
 * rule or stop, a tool or reply, whether to pass a guessed argument, what to do after a failed call, a fact that is asked
 * for by name.
 */
export const DECISION_KINDS = ["skill", "more-skills", "rule", "more-rules", "tool", "argument", "remedy", "fact"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface Candidate {
	id: string;
	/** Its text; null where it has none (none, stop, reply). */
	features: Features | null;
	/** Row of its exact name in the identity table. */
	identity: number;
	/** Lexical overlap with the situation, in [0, 1] or a little above. */
	lexical: number;
	/** 1 where what was decided before points to it, else 0. */
	plan: number;
	/** 1 for the way out (none, stop, reply), else 0. */
	none: number;
}

/** One decision as the scorer sees it: acting and training read the same. */
export interface DecisionInput {
	kind: DecisionKind;
	situation: Features;
	candidates: readonly Candidate[];
}

/** Picks a candidate by index, given their logits. */
export type Choose = (input: DecisionInput, logits: Float64Array) => number;

/** The best candidate; ties go to the earlier one. */
export const chooseBest: Choose = (_input, logits) => {
	let best = 0;
	for (let i = 1; i < logits.length; i++) if ((logits[i] as number) > (logits[best] as number)) best = i;
	return best;
};

/** Draws from the softmax. */
export function chooseBySampling(next: () => number): Choose {
	return (_input, logits) => {
		const probabilities = logSoftmax(logits).map(Math.exp);
		let rest = next();
		for (let i = 0; i < probabilities.length; i++) {
			rest -= probabilities[i] as number;
			if (rest < 0) return i;
		}
		return chooseBest(_input, logits);
	};
}
