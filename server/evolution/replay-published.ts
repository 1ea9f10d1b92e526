import { compareRuns, type EpisodeScore, PUBLISHED, reconstruct, summarize } from "@/server/evaluation";
import type { CaseScore, Comparison, RunSummary } from "@/server/evaluation/contract";
import { toRoundComparison } from "./comparisons";
import { GatePolicySchema, type LoopReport, type LoopRound } from "./contract";
import { countRound, EARLY_STOP_START, type EarlyStopState, isEligible, type RoundComparison, recommendRound, roundName } from "./early-stop-state";
import { reportComparison, reportScores } from "./loop-report";

/** Nothing but scores was published: no latency, no tokens, no behaviour. */
const BARE: Omit<EpisodeScore, "caseId" | "category" | "accuracy" | "effectiveness"> = {
	trial: 0,
	outcome: "replied",
	skillSelection: null,
	toolRationality: null,
	hookRetries: 0,
	recovered: null,
	latencyMs: 0,
	promptTokens: 0,
	completionTokens: 0,
	reasoningToolTokens: 0,
	reasoningReplyTokens: 0,
	modelCalls: 0,
	cachedCalls: 0,
};

function summaryOf(scores: readonly CaseScore[]): RunSummary {
	const episodes = scores.map(({ caseId, category, accuracy, effectiveness }) => ({ ...BARE, caseId, category, accuracy, effectiveness }));
	return summarize(episodes, { planned: scores.length, trials: 1, cases: scores.length, wallMs: 0 });
}

interface Replayed {
	index: number;
	avg: number;
	againstBaseline: RoundComparison | null;
}

/**
 * Replays the published series through the same comparisons and the same rules as a live evolution. The case scores are
 * those with the fewest discordant cases that give the published counts: a lower bound of what happened, and shown as such.
 */
export function replayPublished(): LoopReport {
	const policy = GatePolicySchema.parse({});
	const scores = PUBLISHED.rounds.map((round) => reconstruct(round));
	const compare = (from: number, to: number): Comparison =>
		compareRuns(scores[from] as CaseScore[], scores[to] as CaseScore[], {
			baseRunId: roundName(from),
			runId: roundName(to),
			oneTrial: true,
			sameConditions: false,
			deltaPoints: policy.deltaPoints,
			marginPoints: policy.marginPoints,
			alpha: policy.alpha,
		});
	let state: EarlyStopState = EARLY_STOP_START;
	let stopped: string | null = null;
	const replayed: Replayed[] = [];
	const rounds = PUBLISHED.rounds.map((round, index): LoopRound => {
		const summary = summaryOf(scores[index] as CaseScore[]);
		const test = reportScores(null, summary);
		if (index === 0) return { name: round.name, commit: null, dev: null, test, verdicts: null, eligible: false, proposals: [] };
		const anchor = state.anchor;
		const [base, against] = [compare(0, index), compare(anchor, index)];
		const counted = countRound(state, { index, comparison: toRoundComparison(against) }, policy);
		state = counted.state;
		if (state.stopped) stopped ??= round.name;
		replayed.push({ index, avg: summary.avg.value, againstBaseline: toRoundComparison(base) });
		return {
			name: round.name,
			commit: null,
			dev: null,
			test,
			verdicts: {
				againstBaseline: reportComparison(base, "base"),
				againstAnchor: reportComparison(against, roundName(anchor)),
				effect: counted.effect,
				strikes: state.strikes,
				stale: state.stale,
			},
			eligible: isEligible(toRoundComparison(base)),
			proposals: [],
		};
	});
	const recommended = recommendRound(replayed);
	return {
		workspace: null,
		evolution: "published",
		rounds,
		recommended: recommended === null ? null : roundName(recommended),
		stopped,
		release: null,
		interrupted: null,
		notes: ["Reconstructed with the fewest discordant cases that give the published counts: a lower bound of what changed."],
	};
}
