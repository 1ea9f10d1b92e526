import type { Trajectory } from "@/server/agent/contract";
import type { Verdict } from "@/server/judge/contract";
import type { FoldedEpisode } from "../ports";

/** A result ready to be committed: the columns of `Episode`, and what goes into `EpisodeRecord`. */
export interface EpisodeRow {
	id: string;
	runId: string;
	caseId: string;
	caseKey: string;
	trial: number;
	outcome: string;
	category: string;
	accuracy: number | null;
	effectiveness: number | null;
	skillSelection: number | null;
	toolRationality: number | null;
	hookRetries: number;
	recovered: boolean | null;
	limitsKept: boolean | null;
	latencyMs: number;
	promptTokens: number;
	completionTokens: number;
	reasoningToolTokens: number;
	reasoningReplyTokens: number;
	judgeTokens: number;
	modelCalls: number;
	cachedCalls: number;
	message: string;
	reply: string | null;
	skills: string[];
	tools: string[];
	faults: string[];
	failureType: string | null;
	blamed: string | null;
	error: string | null;
	record: { trajectory: Trajectory; verdict: Verdict | null } | null;
}

export interface EpisodeResult {
	runId: string;
	caseId: string;
	caseKey: string;
	category: string;
	trial: number;
	trajectory: Trajectory;
	/** The same under the names of the run's own harness: lists and filters show those. */
	folded?: FoldedEpisode;
	/** Null for an infrastructure error. */
	verdict: Verdict | null;
	/** Why the judge could not score it. */
	judgeError: string | null;
	/** A holdout case: nothing of its text, category or trajectory is kept. */
	sealed: boolean;
}

/** A result's id follows from (run, case, trial): a job that is done again finds its own row. */
export const episodeId = (runId: string, caseId: string, trial: number): string => `${runId}.${caseId.replace(/^cas_/, "")}.${trial}`;

function count(trajectory: Trajectory) {
	const totals = { promptTokens: 0, completionTokens: 0, reasoningToolTokens: 0, reasoningReplyTokens: 0, modelCalls: 0, cachedCalls: 0, hookRetries: 0 };
	const skills = new Set<string>();
	const tools = new Set<string>();
	const faults = new Set<string>();
	for (const step of trajectory.steps) {
		if (step.type === "model") {
			totals.modelCalls++;
			if (step.cached) totals.cachedCalls++;
			totals.promptTokens += step.usage.prompt;
			totals.completionTokens += step.usage.completion;
			if (step.purpose === "tool") totals.reasoningToolTokens += step.usage.reasoning;
			else totals.reasoningReplyTokens += step.usage.reasoning;
		} else if (step.type === "skill" && step.ok) skills.add(step.name);
		else if (step.type === "tool") {
			tools.add(step.name);
			if (step.fault) faults.add(step.fault);
		} else if (step.type === "retry" && step.reason.startsWith("hook")) totals.hookRetries++;
	}
	return { ...totals, skills: [...skills], tools: [...tools], faults: [...faults] };
}

/** The row of a finished episode. */
export function toEpisodeRow(result: EpisodeResult): EpisodeRow {
	const { trajectory, verdict, sealed } = result;
	const scored = trajectory.outcome !== "infra-error" && verdict !== null;
	const { skills, tools, faults, ...totals } = count(result.folded?.trajectory ?? trajectory);
	return {
		id: episodeId(result.runId, result.caseId, result.trial),
		runId: result.runId,
		caseId: result.caseId,
		caseKey: sealed ? "" : result.caseKey,
		trial: result.trial,
		outcome: scored ? trajectory.outcome : "infra-error",
		category: sealed ? "" : result.category,
		accuracy: scored ? verdict.accuracy : null,
		effectiveness: scored ? verdict.effectiveness : null,
		skillSelection: scored ? verdict.skillSelection : null,
		toolRationality: scored ? verdict.toolRationality : null,
		recovered: scored ? verdict.recovered : null,
		limitsKept: scored ? (result.folded?.limitsKept ?? null) : null,
		latencyMs: trajectory.durationMs,
		...totals,
		judgeTokens: verdict?.tokens ?? 0,
		message: sealed ? "" : trajectory.message,
		reply: sealed ? null : trajectory.reply,
		skills: sealed ? [] : skills,
		tools: sealed ? [] : tools,
		faults: sealed ? [] : faults,
		failureType: scored && !sealed ? verdict.failureType : null,
		blamed: scored && !sealed ? verdict.blamed : null,
		error: sealed ? (scored ? null : "infra-error") : (result.judgeError ?? trajectory.error ?? null),
		record: sealed ? null : { trajectory, verdict },
	};
}

/** What is kept of a result that the database refuses: that there was one. Nothing measured, nothing a model wrote. */
export function toUnstorableRow(row: EpisodeRow): EpisodeRow {
	const sealed = row.record === null;
	const noTokens = { promptTokens: 0, completionTokens: 0, reasoningToolTokens: 0, reasoningReplyTokens: 0, judgeTokens: 0 };
	const nothing = { ...noTokens, modelCalls: 0, cachedCalls: 0, hookRetries: 0 };
	return {
		...row,
		...nothing,
		outcome: "infra-error",
		accuracy: null,
		effectiveness: null,
		skillSelection: null,
		toolRationality: null,
		recovered: null,
		latencyMs: 0,
		reply: null,
		skills: [],
		tools: [],
		faults: [],
		failureType: null,
		blamed: null,
		error: sealed ? "infra-error" : "The database refused this result; the log says why.",
		record: null,
	};
}
