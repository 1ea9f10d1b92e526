import type { CaseScore, Interval, RunSummary } from "../contract";
import { bootstrapMeans, wilson } from "./intervals";

/** One episode, as statistics need it. Scores are null for an infrastructure error: it is counted apart, never as a 0. */
export interface EpisodeScore {
	caseId: string;
	category: string;
	trial: number;
	outcome: "replied" | "blocked" | "deadline" | "infra-error";
	accuracy: number | null;
	effectiveness: number | null;
	skillSelection: number | null;
	toolRationality: number | null;
	hookRetries: number;
	recovered: boolean | null;
	/** Under a variant: whether the reply kept the limits in force; absent and null elsewhere. */
	limitsKept?: boolean | null;
	latencyMs: number;
	promptTokens: number;
	completionTokens: number;
	reasoningToolTokens: number;
	reasoningReplyTokens: number;
	modelCalls: number;
	cachedCalls: number;
}

export const WARNING_COVERAGE = 0.95;
export const DECISIVE_COVERAGE = 0.6;

type Valid = EpisodeScore & { accuracy: number; effectiveness: number };
const isValid = (episode: EpisodeScore): episode is Valid => episode.outcome !== "infra-error" && episode.accuracy !== null && episode.effectiveness !== null;

/** Mean scores per case over its valid trials: the unit of every interval and test. Cases without a valid trial are left out. */
export function scoreCases(episodes: readonly EpisodeScore[]): CaseScore[] {
	const cases = new Map<string, CaseScore>();
	for (const episode of episodes) {
		if (!isValid(episode)) continue;
		const score = cases.get(episode.caseId) ?? { caseId: episode.caseId, category: episode.category, trials: 0, accuracy: 0, effectiveness: 0 };
		score.trials++;
		score.accuracy += episode.accuracy;
		score.effectiveness += episode.effectiveness;
		cases.set(episode.caseId, score);
	}
	return [...cases.values()]
		.map((score) => ({ ...score, accuracy: score.accuracy / score.trials, effectiveness: score.effectiveness / score.trials }))
		.sort((a, b) => (a.caseId < b.caseId ? -1 : 1));
}

/** decisive; warning under 95 % coverage; indecisive under 60 % (such a run gates nothing). */
export function standingOf(coverage: number): RunSummary["standing"] {
	if (coverage < DECISIVE_COVERAGE) return "indecisive";
	return coverage < WARNING_COVERAGE ? "warning" : "decisive";
}

function intervals(scores: readonly CaseScore[], trials: number): { accuracy: Interval; effectiveness: Interval; avg: Interval } {
	const accuracy = Float64Array.from(scores, (score) => score.accuracy);
	const effectiveness = Float64Array.from(scores, (score) => score.effectiveness);
	const avg = Float64Array.from(scores, (score) => (score.accuracy + score.effectiveness) / 2);
	const [a, e, both] = bootstrapMeans([accuracy, effectiveness, avg]) as [Interval, Interval, Interval];
	const hits = scores.filter((score) => score.accuracy === 1).length;
	return { accuracy: trials === 1 ? wilson(hits, scores.length) : a, effectiveness: e, avg: both };
}

/** Resamples of an interval that is shown while a run goes on: quick, and replaced by the full ones at its end. */
const LIVE_RESAMPLES = 1_000;
const LIVE_CASES = 2_000;

/** Scores so far, for the screen. Above 2,000 cases the normal approximation, so that a look costs the same however long the run is. */
export function liveScores(scores: readonly CaseScore[], trials: number): { accuracy: Interval; effectiveness: Interval } | null {
	if (scores.length === 0) return null;
	const columns = [Float64Array.from(scores, (score) => score.accuracy), Float64Array.from(scores, (score) => score.effectiveness)];
	const [accuracy, effectiveness] = (scores.length <= LIVE_CASES ? bootstrapMeans(columns, LIVE_RESAMPLES) : columns.map(normalMean)) as [Interval, Interval];
	const hits = scores.filter((score) => score.accuracy === 1).length;
	return { accuracy: trials === 1 ? wilson(hits, scores.length) : accuracy, effectiveness };
}

function normalMean(column: Float64Array): Interval {
	const value = column.reduce((sum, x) => sum + x, 0) / column.length;
	const variance = column.reduce((sum, x) => sum + (x - value) ** 2, 0) / Math.max(1, column.length - 1);
	const half = 1.96 * Math.sqrt(variance / column.length);
	return { value, low: Math.max(0, value - half), high: Math.min(1, value + half) };
}

function meanOf(values: readonly (number | null)[]): number | null {
	const present = values.filter((value) => value !== null);
	return present.length === 0 ? null : present.reduce((a, b) => a + b, 0) / present.length;
}

/** Nearest-rank percentile of sorted values; 0 for none. */
export function percentile(sorted: readonly number[], share: number): number {
	return sorted.length === 0 ? 0 : (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number);
}

/** Share of the cases with two or more valid trials whose verdict differs between trials; null when there are none. */
export function noiseOf(episodes: readonly EpisodeScore[]): number | null {
	const verdicts = new Map<string, string[]>();
	for (const episode of episodes) {
		if (!isValid(episode)) continue;
		const list = verdicts.get(episode.caseId) ?? [];
		list.push(`${episode.accuracy}/${episode.effectiveness}`);
		verdicts.set(episode.caseId, list);
	}
	const repeated = [...verdicts.values()].filter((list) => list.length > 1);
	return repeated.length === 0 ? null : repeated.filter((list) => new Set(list).size > 1).length / repeated.length;
}

/** Under variants: limits kept, and intents that a reply resolved at least in part. Our reading of FI and TCO; the sources name them only. */
function robustnessOf(valid: readonly Valid[]): Pick<RunSummary, "limitsKept" | "completion"> {
	const completed = valid.filter((episode) => episode.outcome === "replied" && episode.effectiveness > 0);
	return {
		limitsKept: meanOf(valid.map(({ limitsKept = null }) => (limitsKept === null ? null : Number(limitsKept)))),
		completion: valid.length === 0 ? 0 : completed.length / valid.length,
	};
}

const total = (
	episodes: readonly EpisodeScore[],
	key: "promptTokens" | "completionTokens" | "reasoningToolTokens" | "reasoningReplyTokens" | "modelCalls" | "cachedCalls",
) => episodes.reduce((sum, episode) => sum + episode[key], 0);

/**
 * The scores of a run. Accuracy with one trial has a Wilson interval, everything else a percentile bootstrap over cases.
 * Deterministic: any worker that finishes the run computes the same.
 */
export function summarize(
	episodes: readonly EpisodeScore[],
	run: { planned: number; trials: number; cases: number; wallMs: number; variants?: boolean },
): RunSummary {
	const valid = episodes.filter(isValid);
	const scores = scoreCases(episodes);
	const coverage = run.planned === 0 ? 0 : valid.length / run.planned;
	const latencies = valid.map((episode) => episode.latencyMs).sort((a, b) => a - b);
	const recovered = valid.filter((episode) => episode.recovered !== null);
	const categories = [...new Set(scores.map((score) => score.category))].sort((a, b) => (a < b ? -1 : 1));
	return {
		cases: run.cases,
		trials: run.trials,
		planned: run.planned,
		valid: valid.length,
		infraErrors: episodes.length - valid.length,
		coverage,
		standing: standingOf(coverage),
		...intervals(scores, run.trials),
		skillSelection: meanOf(valid.map((episode) => episode.skillSelection)),
		toolRationality: meanOf(valid.map((episode) => episode.toolRationality)),
		hookRetries: meanOf(valid.map((episode) => episode.hookRetries)) ?? 0,
		recovery: recovered.length === 0 ? null : recovered.filter((episode) => episode.recovered).length / recovered.length,
		...(run.variants ? robustnessOf(valid) : {}),
		noise: noiseOf(episodes),
		latencyMs: { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) },
		tokens: {
			prompt: total(episodes, "promptTokens"),
			completion: total(episodes, "completionTokens"),
			reasoningTool: total(episodes, "reasoningToolTokens"),
			reasoningReply: total(episodes, "reasoningReplyTokens"),
		},
		modelCalls: total(episodes, "modelCalls"),
		cachedCalls: total(episodes, "cachedCalls"),
		wallMs: run.wallMs,
		perCategory: categories.map((category) => {
			const members = scores.filter((score) => score.category === category);
			const { accuracy, effectiveness } = intervals(members, run.trials);
			return { category, cases: members.length, accuracy, effectiveness };
		}),
	};
}
