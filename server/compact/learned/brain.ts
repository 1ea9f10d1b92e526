import { logSoftmax } from "@/server/kernel/softmax";
import { encodeText } from "../encode-text";
import type { Decision } from "../score-candidates";
import { type Candidate, type Choose, chooseBest, type DecisionInput, type DecisionKind } from "./decision";
import { identityRow, toFeatures } from "./features";
import type { Scorer } from "./scorer";

/** A decision that was taken, with all that is needed to score it again. */
export interface TakenDecision {
	input: DecisionInput;
	chosen: number;
	logProbability: number;
	/** Steps that the model had taken before. */
	step: number;
}

/** What may be chosen, before it is hashed. */
export interface Option {
	id: string;
	/** Null for a way out. */
	text: string | null;
	lexical?: number;
	plan?: boolean;
}

export interface Brain {
	scorer: Scorer;
	/** The best candidate unless training says otherwise. */
	choose?: Choose;
	onDecision?: (taken: TakenDecision) => void;
}

/** A candidate as the scorer sees it; a rule has no name but its own condition. */
export function toCandidate(kind: DecisionKind, { id, text, lexical = 0, plan = false }: Option): Candidate {
	return {
		id,
		features: text === null ? null : toFeatures(encodeText(text)),
		identity: identityRow(kind, text === null ? id : kind === "rule" || kind === "more-rules" ? text : id),
		lexical,
		plan: plan ? 1 : 0,
		none: text === null ? 1 : 0,
	};
}

/** Takes one decision: the index of the option, recorded with its log-probability under the softmax over all that are offered. */
export function takeDecision(brain: Brain, decisions: Decision[], input: DecisionInput, step: number): number {
	const logits = brain.scorer.score(input);
	const chosen = (brain.choose ?? chooseBest)(input, logits);
	const logProbability = logSoftmax(logits)[chosen] as number;
	decisions.push({ kind: input.kind, chosen: (input.candidates[chosen] as Candidate).id, logProbability, candidates: input.candidates.length });
	brain.onDecision?.({ input, chosen, logProbability, step });
	return chosen;
}
