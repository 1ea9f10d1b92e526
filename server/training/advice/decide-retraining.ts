import { ADVICE_RULE } from "../advice-rule.contract";
import type { Advice, AdviceChange, AdviceEvidence, AdviceFollowUp, AdviceRule, AdviceSign, AdviceState } from "../contract";

const FIT = ["outside", "gap"] as const satisfies readonly AdviceSign[];
const PAY = ["stopped", "unpaid", "stuck"] as const satisfies readonly AdviceSign[];
const ALL = [...FIT, ...PAY, "old"] as const satisfies readonly AdviceSign[];
/** One round is no trend: edits can only have stopped paying from the second on. Of ours. */
const LEAST_ROUNDS = 2;
/** For the division of counts. */
const HAIR = 1e-9;

/** Whether each sign is there; null where nothing is known. */
function readSigns(evidence: AdviceEvidence, rule: AdviceRule): Record<AdviceSign, boolean | null> {
	const { distance, gap, earlyStop, edits, stuck, checkpoint } = evidence;
	return {
		outside: distance && !distance.inside,
		// A gap counts when it is as large as that, and not by chance.
		gap: gap && gap.value * 100 >= rule.gapPoints - HAIR && gap.low > 0,
		stopped: earlyStop?.stopped ?? null,
		unpaid: edits && edits.rounds >= LEAST_ROUNDS && edits.gain.value * 100 < rule.gainPoints - HAIR,
		stuck: stuck && (stuck.failures < rule.leastFailures ? false : stuck.stuck / stuck.failures >= rule.stuckShare - HAIR),
		old: checkpoint && checkpoint.ageDays >= rule.ageDays,
	};
}

/**
 * Due: the policy no longer fits *and* editing no longer pays, or it fits neither what it was trained on nor its variants.
 * Advised: any one of these signs. Age alone advises nothing.
 */
function stateOf(has: (sign: AdviceSign) => boolean): AdviceState {
	const fit = FIT.filter(has).length;
	const pay = PAY.filter(has).length;
	if (fit === FIT.length || (fit > 0 && pay > 0)) return "retrain-due";
	return fit + pay > 0 ? "retrain-advised" : "keep-editing";
}

/** The single signs whose coming or going would change the state. */
function changesOf(signs: ReadonlySet<AdviceSign>, state: AdviceState): AdviceChange[] {
	return [...FIT, ...PAY].flatMap((sign) => {
		const present = signs.has(sign);
		const to = stateOf((other) => (other === sign ? !present : signs.has(other)));
		return to === state ? [] : [{ sign, direction: present ? ("goes" as const) : ("comes" as const), to }];
	});
}

/** Edit or retrain? From the evidence alone, with reasons and with what would change it. Pure. */
export function decideRetraining(evidence: AdviceEvidence, rule: AdviceRule = ADVICE_RULE): Advice {
	const read = readSigns(evidence, rule);
	const signs = ALL.filter((sign) => read[sign] === true);
	const present = new Set<AdviceSign>(signs);
	const state = stateOf((sign) => present.has(sign));
	return { state, signs, unknown: ALL.filter((sign) => read[sign] === null), changes: changesOf(present, state), evidence, rule };
}

/**
 * Whether what happened next speaks for an advice. To keep editing held when the next rounds gained what an edit has to
 * gain. To retrain held when a trained policy was released, or when editing went on and gained nothing; not, when editing
 * went on and paid. Else it is open. Pure.
 */
export function judgeFollowUp(
	state: AdviceState,
	rule: AdviceRule,
	{ gain, landings, released }: { gain: number | null; landings: number; released: string | null },
): AdviceFollowUp["held"] {
	const paid = gain === null || landings === 0 ? null : (gain / landings) * 100 >= rule.gainPoints - HAIR;
	if (state === "keep-editing") return paid === null ? "open" : paid ? "yes" : "no";
	if (released !== null) return "yes";
	return paid === null ? "open" : paid ? "no" : "yes";
}
