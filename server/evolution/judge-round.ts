import type { GatePolicy, RoundStanding } from "./contract";
import { countRound, EARLY_STOP_START, type EarlyStopState, isEligible, type RoundComparison, reopen, roundName } from "./early-stop-state";
import type { EvolutionRow, RoundRow } from "./rows";

/** Index of a round by its name. */
export const roundIndex = (name: string) => (name === "base" ? 0 : Number(name.replace("Evo.", "")));

/** Where the early stop stands after the closed rounds before `index`, with reopenings counted. Pure. */
export function stateBefore(rounds: readonly RoundRow[], reopenings: EvolutionRow["reopenings"], index: number): EarlyStopState {
	const last = rounds.filter((r) => r.index < index && r.standing).sort((a, b) => b.index - a.index)[0];
	if (!last?.standing) return EARLY_STOP_START;
	const { anchorAfter, strikes, stale, stopped } = last.standing;
	const state = { anchor: roundIndex(anchorAfter), strikes, stale, stopped };
	return reopenings.some((r) => r.afterRound >= last.index) ? reopen(state) : state;
}

function sayWhy(effect: RoundStanding["effect"], c: RoundComparison | null, anchor: string): string[] {
	if (!c) return ["The test run is indecisive: it says nothing about this round."];
	const words = `Accuracy ${c.accuracy.verdict} (${(c.accuracy.delta * 100).toFixed(1)}), Effectiveness ${c.effectiveness.verdict} (${(c.effectiveness.delta * 100).toFixed(1)}) against ${anchor}`;
	const said = {
		anchor: "it is the new anchor and the count starts again",
		strike: "a strike",
		stale: "no gain worth the edit",
		"trade-off": "a trade-off leaves the count as it is",
		none: "a gain that is not significant leaves the count as it is",
	};
	return [`${words}: ${said[effect]}.`];
}

/**
 * The standing of a round that was evaluated. Comparisons are null where a run is indecisive; then the round gates nothing
 * and is not eligible. Pure: everything the rules read is passed in.
 */
export function judgeRound(input: {
	index: number;
	before: EarlyStopState;
	againstBaseline: RoundComparison | null;
	againstAnchor: RoundComparison | null;
	policy: Pick<GatePolicy, "deltaPoints">;
	patience: number;
}): RoundStanding {
	const { index, before, againstBaseline, againstAnchor } = input;
	if (index === 0) {
		return {
			againstBaseline: null,
			againstAnchor: null,
			// The baseline is what is released: there is nothing to release it against.
			eligible: false,
			effect: "none",
			anchorAfter: "base",
			strikes: 0,
			stale: 0,
			stopped: false,
			reasons: [],
		};
	}
	const anchor = roundName(before.anchor);
	const { state, effect } = countRound(before, { index, comparison: againstAnchor }, { deltaPoints: input.policy.deltaPoints, patience: input.patience });
	return {
		againstBaseline: againstBaseline && {
			accuracy: againstBaseline.accuracy.verdict,
			effectiveness: againstBaseline.effectiveness.verdict,
			accuracyDelta: againstBaseline.accuracy.delta,
			effectivenessDelta: againstBaseline.effectiveness.delta,
			nonInferior: againstBaseline.accuracy.nonInferior && againstBaseline.effectiveness.nonInferior,
		},
		againstAnchor: againstAnchor && {
			anchor,
			accuracy: againstAnchor.accuracy.verdict,
			effectiveness: againstAnchor.effectiveness.verdict,
			accuracyDelta: againstAnchor.accuracy.delta,
			effectivenessDelta: againstAnchor.effectiveness.delta,
		},
		eligible: isEligible(againstBaseline),
		effect,
		anchorAfter: roundName(state.anchor),
		strikes: state.strikes,
		stale: state.stale,
		stopped: state.stopped,
		reasons: sayWhy(effect, againstAnchor, anchor),
	};
}
