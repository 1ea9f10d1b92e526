import * as z from "zod";
import { SplitSchema } from "./cases.contract";
import { IntervalSchema, RunSummarySchema } from "./scores.contract";
import { RESULT_SORTS, RESULT_VERDICTS, RUN_STATUSES } from "./values.contract";
import { VariantPlanSchema } from "./variants.contract";

export const RunStatusSchema = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatusSchema>;

export const RunReasonSchema = z.enum(["manual", "baseline", "proposal", "landing", "round", "release", "holdout", "loop", "trigger"]);
export type RunReason = z.infer<typeof RunReasonSchema>;

/** What a run will take, told before it starts and kept beside the truth. Times in ms. */
export const RunEstimateSchema = z.object({
	planned: z.number().int(),
	promptTokens: z.number(),
	completionTokens: z.number(),
	/** Of the judge's model; null before its first run. An estimate of an earlier version says nothing of it. */
	judgeTokens: z.number().nullable().default(0),
	/** In the currency of the workspace's price; null when no price is set. */
	cost: z.number().nullable(),
	wallMs: z.number(),
	/** history: from earlier runs with this policy; size: from the size of the harness alone. */
	basis: z.enum(["history", "size"]),
	/** Minimum detectable effect at 80 % power as a proportion; null when nothing could be detected. */
	mde: z.number().nullable(),
	discordance: z.number(),
	/** Whether the discordance was observed between two runs, or is the usual 10 %. */
	discordanceObserved: z.boolean(),
});
export type RunEstimate = z.infer<typeof RunEstimateSchema>;

export const RunInfoSchema = z.object({
	id: z.string(),
	number: z.number().int(),
	suiteVersionId: z.string(),
	suiteKey: z.string(),
	suiteVersion: z.number().int(),
	split: SplitSchema,
	treeId: z.string(),
	commit: z.string().nullable(),
	policyVersionId: z.string(),
	judgeVersionId: z.string(),
	policyName: z.string(),
	judgeName: z.string(),
	trials: z.number().int(),
	seed: z.number().int(),
	useCache: z.boolean(),
	variants: VariantPlanSchema.nullable(),
	partial: z.boolean(),
	status: RunStatusSchema,
	reason: RunReasonSchema,
	requestedBy: z.string(),
	planned: z.number().int(),
	valid: z.number().int(),
	infraErrors: z.number().int(),
	estimate: RunEstimateSchema.nullable(),
	/** Null until the run is done, and always for a sealed (holdout) run. */
	summary: RunSummarySchema.nullable(),
	error: z.string().nullable(),
	/** `error` for a screen: slugs and values of `errors.<reason>`; empty where the text is of foreign origin. */
	errorReasons: z.array(z.object({ reason: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })),
	createdAt: z.date(),
	startedAt: z.date().nullable(),
	finishedAt: z.date().nullable(),
});
export type RunInfo = z.infer<typeof RunInfoSchema>;

export const RunProgressSchema = z.object({
	status: RunStatusSchema,
	planned: z.number().int(),
	valid: z.number().int(),
	infraErrors: z.number().int(),
	coverage: z.number(),
	/** Episodes a second over the last seconds. */
	perSecond: z.number(),
	/** Null while nothing is known of the speed. */
	leftMs: z.number().nullable(),
	elapsedMs: z.number(),
	/** Scores so far with their noise; null before the first valid episode, and for a sealed run. Partial figures gate nothing. */
	accuracy: IntervalSchema.nullable(),
	effectiveness: IntervalSchema.nullable(),
	latencyMs: z.object({ p50: z.number(), p95: z.number() }).nullable(),
	tokens: z.object({ prompt: z.number(), completion: z.number(), judge: z.number() }),
	workers: z.number().int(),
});
export type RunProgress = z.infer<typeof RunProgressSchema>;

export const ResultVerdictSchema = z.enum(RESULT_VERDICTS);
export type ResultVerdict = z.infer<typeof ResultVerdictSchema>;

/** One result in the grid of a run. */
export const ResultRowSchema = z.object({
	id: z.string(),
	caseId: z.string(),
	caseKey: z.string(),
	trial: z.number().int(),
	category: z.string(),
	outcome: z.enum(["replied", "blocked", "deadline", "infra-error"]),
	verdict: ResultVerdictSchema,
	accuracy: z.number().nullable(),
	effectiveness: z.number().nullable(),
	message: z.string(),
	reply: z.string().nullable(),
	skills: z.array(z.string()),
	tools: z.array(z.string()),
	faults: z.array(z.string()),
	failureType: z.string().nullable(),
	blamed: z.string().nullable(),
	error: z.string().nullable(),
	latencyMs: z.number(),
	hookRetries: z.number().int(),
	modelCalls: z.number().int(),
	cachedCalls: z.number().int(),
	tokens: z.number().int(),
});
export type ResultRow = z.infer<typeof ResultRowSchema>;

export const ResultFilterSchema = z.object({
	verdict: z.array(ResultVerdictSchema).default([]),
	category: z.array(z.string()).default([]),
	skill: z.array(z.string()).default([]),
	tool: z.array(z.string()).default([]),
	fault: z.array(z.string()).default([]),
	failureType: z.array(z.string()).default([]),
	caseIds: z.array(z.string()).max(2000).default([]),
	text: z.string().max(200).default(""),
});
export type ResultFilter = z.infer<typeof ResultFilterSchema>;
export const ResultSortSchema = z.enum(RESULT_SORTS);
