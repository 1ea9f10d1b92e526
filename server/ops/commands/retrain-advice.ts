import type { z } from "zod";
import { intervalPoints, points } from "@/server/evaluation";
import type { AdviceEvidence, AdviceFollowUp, AdviceRule, AdviceSign } from "@/server/training/contract";
import type { Session } from "../session";

import type { CommandResult } from "./output";
import type { AdviceOptions } from "./read-options";

/** What each sign says when it is there. */
const SIGNS: Record<AdviceSign, string> = {
	outside: "the harness is outside the checkpoint's envelope",
	gap: "the T1-T2 gap is too large",
	stopped: "the evolution has stopped",
	unpaid: "landed edits gain too little",
	stuck: "too many failures stay under repeated edits",
	old: "the checkpoint is old",
};

/** Each sign in a sentence: what it is now, and from where on it counts. */
function sentence(sign: AdviceSign, evidence: AdviceEvidence, rule: AdviceRule): string {
	const { distance, gap, earlyStop, edits, stuck, checkpoint } = evidence;
	switch (sign) {
		case "outside": {
			if (!distance) return "no distance is known: nothing that remembers an envelope is in force";
			const left = distance?.dimensions.filter((one) => !one.inside).map((one) => one.dimension) ?? [];
			return left.length > 0 ? `the harness has left the envelope of the checkpoint in ${left.join(", ")}` : "the harness is inside the checkpoint's envelope";
		}
		case "gap":
			return `the T1-T2 gap is ${gap ? `${points(gap.value)} (95 % CI ${points(gap.low)} to ${points(gap.high)})` : "not measured"}; it counts from ${rule.gapPoints.toFixed(1)} points on when its interval leaves zero`;
		case "stopped":
			if (!earlyStop) return "there is no evolution";
			return `the evolution ${earlyStop.stopped ? "has stopped" : "goes on"}: ${earlyStop.strikes + earlyStop.stale} of ${earlyStop.patience}`;
		case "unpaid":
			return edits
				? `${edits.landings === 1 ? "the one landed edit" : `the last ${edits.landings} landed edits`} gained ${points(edits.gain.value)} points of AVG${edits.landings === 1 ? "" : " each"} over the last ${edits.rounds === 1 ? "round" : `${edits.rounds} rounds`}, for ${edits.episodes} episodes; ${rule.gainPoints.toFixed(1)} is what one has to gain`
				: "no round with a landed edit has been closed";
		case "stuck":
			return stuck
				? `${stuck.stuck} of ${stuck.failures} failures were meant to be mended at least ${stuck.attempts} times; ${Math.round(rule.stuckShare * 100)} % counts, with ${rule.leastFailures} failures or more`
				: "failures under repeated edits are not known";
		case "old":
			return checkpoint
				? `the checkpoint is ${checkpoint.ageDays.toFixed(0)} days old; from ${rule.ageDays} days on it is called old, which advises nothing alone`
				: "no training made the policy in force";
	}
}

const inPoints = (followUp: AdviceFollowUp): AdviceFollowUp => ({ ...followUp, gain: followUp.gain === null ? null : points(followUp.gain) });

/** `retrain-advice`: edit or retrain, with the evidence, the reasons in words, what would change it, and what became of earlier advice. */
export async function retrainAdvice(session: Session, { workspace }: z.infer<typeof AdviceOptions>): Promise<CommandResult> {
	const { id } = await session.workspace(workspace);
	const { state, signs, unknown, changes, evidence, rule } = await session.services.advice.advise(id);
	const [history, thresholds] = await Promise.all([session.services.advice.history(id), session.services.advice.rule(id)]);
	const say = (sign: AdviceSign) => sentence(sign, evidence, rule);
	const { gap, edits } = evidence;
	return {
		document: {
			state,
			reasons: signs.map((sign) => ({ sign, text: say(sign) })),
			wouldChange: changes.map(({ sign, direction, to }) => ({
				to,
				if: direction === "comes" ? SIGNS[sign] : `no longer so: ${SIGNS[sign]}`,
				now: say(sign),
			})),
			unknown: unknown.map((sign) => ({ sign, text: say(sign) })),
			evidence: {
				...evidence,
				gap: gap && { ...intervalPoints(gap), cases: gap.cases, runId: gap.runId, baseRunId: gap.baseRunId },
				edits: edits && { ...edits, gain: intervalPoints(edits.gain) },
			},
			rule,
			/** 0: the defaults. */
			ruleVersion: thresholds.version,
			history: history.map(({ at, advice, followUp }) => ({ at: at.toISOString(), state: advice.state, signs: advice.signs, followUp: inPoints(followUp) })),
		},
	};
}
