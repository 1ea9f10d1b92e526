import * as z from "zod";
import { FaultKindSchema } from "@/server/agent/contract";
import { BookNameSchema, EnvelopeSchema } from "@/server/augmentation/contract";
import { ExpectationSchema, RubricSchema } from "@/server/judge/contract";
import { PhraseSchema } from "@/server/kernel/phrase.contract";
import { CaseInputSchema } from "@/server/simulator/contract";

export const SplitSchema = z.enum(["dev", "test", "holdout"]);
export type Split = z.infer<typeof SplitSchema>;

/** A case as a person writes or imports it. */
export const CaseSchema = CaseInputSchema.extend({
	id: z.string().min(1).max(120),
	category: z.string().min(1).max(80),
	split: SplitSchema,
	group: z.string().max(120).optional(),
	expect: ExpectationSchema.default({}),
	rubric: RubricSchema.default([]),
	reference: z.string().max(8000).optional(),
	probes: z.object({ pass: z.array(z.string()), fail: z.array(z.string()) }).optional(),
	tags: z.array(z.string()).default([]),
});
export type CaseFile = z.infer<typeof CaseSchema>;

export const IntervalSchema = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type Interval = z.infer<typeof IntervalSchema>;

export const VerdictWordSchema = z.enum(["improved", "regressed", "slightly-better", "slightly-worse", "unchanged", "identical", "inconclusive", "too-few"]);
export type VerdictWord = z.infer<typeof VerdictWordSchema>;

/** Scores of one run; proportions in [0, 1], times in ms. */
export const RunSummarySchema = z.object({
	cases: z.number().int(),
	trials: z.number().int(),
	planned: z.number().int(),
	valid: z.number().int(),
	infraErrors: z.number().int(),
	coverage: z.number(),
	/** decisive | warning (coverage under 95 %) | indecisive (under 60 %) */
	standing: z.enum(["decisive", "warning", "indecisive"]),
	accuracy: IntervalSchema,
	effectiveness: IntervalSchema,
	avg: IntervalSchema,
	skillSelection: z.number().nullable(),
	toolRationality: z.number().nullable(),
	hookRetries: z.number(),
	recovery: z.number().nullable(),
	/** Of a run under variants: share of replies that kept every limit in force there; null where no limit can be counted. */
	limitsKept: z.number().nullable().optional(),
	/** Of a run under variants: share of episodes that ended with a reply that resolved the intent at least in part. */
	completion: z.number().optional(),
	/** Share of cases whose verdict flips between trials; null with one trial. */
	noise: z.number().nullable(),
	latencyMs: z.object({ p50: z.number(), p95: z.number() }),
	tokens: z.object({ prompt: z.number(), completion: z.number(), reasoningTool: z.number(), reasoningReply: z.number() }),
	modelCalls: z.number().int(),
	cachedCalls: z.number().int(),
	wallMs: z.number(),
	perCategory: z.array(z.object({ category: z.string(), cases: z.number().int(), accuracy: IntervalSchema, effectiveness: IntervalSchema })),
});
export type RunSummary = z.infer<typeof RunSummarySchema>;

export const DimensionComparisonSchema = z.object({
	/** Points of proportion (0.1 = 10 points). */
	delta: z.number(),
	low: z.number(),
	high: z.number(),
	p: z.number(),
	verdict: VerdictWordSchema,
	nonInferior: z.boolean(),
	/** Case ids that became better / worse. */
	fixed: z.array(z.string()),
	broken: z.array(z.string()),
});
export type DimensionComparison = z.infer<typeof DimensionComparisonSchema>;

export const ComparisonSchema = z.object({
	baseRunId: z.string(),
	runId: z.string(),
	cases: z.number().int(),
	dimensions: z.object({ accuracy: DimensionComparisonSchema, effectiveness: DimensionComparisonSchema }),
	avgDelta: z.number(),
	perCategory: z.array(
		z.object({
			category: z.string(),
			cases: z.number().int(),
			accuracy: DimensionComparisonSchema.extend({ pHolm: z.number() }),
			effectiveness: DimensionComparisonSchema.extend({ pHolm: z.number() }),
		}),
	),
	alarms: z.array(
		z.object({
			category: z.string(),
			dimension: z.enum(["accuracy", "effectiveness"]),
			fixed: z.number().int(),
			broken: z.number().int(),
			cases: z.number().int(),
		}),
	),
	/** The pair is valid only with one judge version; else this says why not. */
	invalid: z.string().nullable(),
});
export type Comparison = z.infer<typeof ComparisonSchema>;

export const RunStatusSchema = z.enum(["queued", "running", "cancelling", "cancelled", "done", "failed"]);
export type RunStatus = z.infer<typeof RunStatusSchema>;

/** One row of statistics: a case's mean scores over its valid trials. */
export interface CaseScore {
	caseId: string;
	category: string;
	trials: number;
	accuracy: number;
	effectiveness: number;
}

// ---- cases and suites ----

/** What a row of `Case` keeps in its content: the case without what the columns hold. */
export const CaseContentSchema = CaseSchema.omit({ id: true, category: true, split: true, group: true });
export type CaseContent = z.infer<typeof CaseContentSchema>;

/** Which column (or promptfoo variable) of an imported table means what. */
export const CaseMappingSchema = z.object({
	message: z.string().min(1),
	id: z.string().optional(),
	category: z.string().optional(),
	split: z.string().optional(),
	group: z.string().optional(),
	reference: z.string().optional(),
	tags: z.string().optional(),
	/** Expected skill names, separated by commas. */
	skills: z.string().optional(),
	/** Expected tool handlers, separated by commas. */
	tools: z.string().optional(),
	/** Texts of which one must occur in the reply, separated by `|`. */
	contains: z.string().optional(),
});
export type CaseMapping = z.infer<typeof CaseMappingSchema>;

export const SplitSharesSchema = z
	.object({ dev: z.number().min(0).max(1), test: z.number().min(0).max(1), holdout: z.number().min(0).max(1) })
	.refine((shares) => Math.abs(shares.dev + shares.test + shares.holdout - 1) < 1e-6, "The shares of dev, test and holdout must add up to 1.");
export type SplitShares = z.infer<typeof SplitSharesSchema>;
export const DEFAULT_SHARES: SplitShares = { dev: 0.3, test: 0.5, holdout: 0.2 };

/** Key of the suite of messages that are there for training alone. All its cases are `dev`; it is never a suite of gates. */
export const TRAINING_SUITE = "training";

export const ImportOptionsSchema = z.object({
	format: z.enum(["auto", "csv", "jsonl"]).default("auto"),
	/** Name of the encoding; `auto` detects it. */
	encoding: z.string().max(40).default("auto"),
	mapping: CaseMappingSchema.optional(),
	/** Category of rows that have none. */
	defaultCategory: z.string().min(1).max(80).optional(),
	shares: SplitSharesSchema.default(DEFAULT_SHARES),
	/** Of a table that is imported twice: the share of its groups that the training suite takes. Any other suite takes the rest. */
	trainingShare: z.number().min(0).max(0.9).default(0),
	/** append: the suite's cases stay, equal ids are replaced; replace: the new version holds these rows only. */
	mode: z.enum(["append", "replace"]).default("append"),
});
export type ImportOptions = z.infer<typeof ImportOptionsSchema>;
export type ImportOptionsInput = z.input<typeof ImportOptionsSchema>;

/** `phrase` is the reason for a screen in another language. */
const RowReasonSchema = z.object({ line: z.number().int(), at: z.string(), reason: z.string(), phrase: PhraseSchema.optional() });

/** What an import will do, or did. Counts are complete; the list of rejected rows is cut at 1,000. */
export const CaseImportReportSchema = z.object({
	format: z.enum(["csv", "jsonl"]),
	/** `case`, `table`, `promptfoo`, `openai-evals` or `openai-chat`: how rows were read. */
	dialect: z.string(),
	encoding: z.string(),
	columns: z.array(z.string()),
	mapping: CaseMappingSchema.nullable(),
	rows: z.number().int(),
	accepted: z.number().int(),
	/** Of the accepted: not in the workspace yet, another text under a known id, already there. */
	added: z.number().int(),
	updated: z.number().int(),
	unchanged: z.number().int(),
	rejected: z.array(RowReasonSchema),
	rejectedTotal: z.number().int(),
	warnings: z.array(RowReasonSchema),
	splits: z.object({ dev: z.number().int(), test: z.number().int(), holdout: z.number().int() }),
	categories: z.array(z.object({ category: z.string(), cases: z.number().int() })),
	/** Groups of near-duplicates with more than one member. */
	nearDuplicateGroups: z.number().int(),
	/** The first rows as they will be stored; never one of the holdout. */
	sample: z.array(
		z.object({ id: z.string(), category: z.string(), split: SplitSchema, group: z.string(), message: z.string(), reference: z.string().nullable() }),
	),
});
export type CaseImportReport = z.infer<typeof CaseImportReportSchema>;

export const SuiteInfoSchema = z.object({
	id: z.string(),
	key: z.string(),
	title: z.object({ en: z.string(), zh: z.string() }),
	standing: z.enum(["critical", "supporting", "informational"]),
	versions: z.array(
		z.object({
			id: z.string(),
			version: z.number().int(),
			hash: z.string(),
			note: z.string().nullable(),
			createdAt: z.date(),
			splits: z.object({ dev: z.number().int(), test: z.number().int(), holdout: z.number().int() }),
		}),
	),
});
export type SuiteInfo = z.infer<typeof SuiteInfoSchema>;

/** A case in a list. Never one of the holdout. */
export const CaseRowSchema = z.object({
	id: z.string(),
	key: z.string(),
	category: z.string(),
	split: z.enum(["dev", "test"]),
	groupKey: z.string(),
	message: z.string(),
	historyTurns: z.number().int(),
	room: z.string().nullable(),
	faults: z.array(z.string()),
	tags: z.array(z.string()),
	hasReference: z.boolean(),
	rubricItems: z.number().int(),
	createdAt: z.date(),
});
export type CaseRow = z.infer<typeof CaseRowSchema>;

// ---- runs ----

export const VariantSuiteSchema = z.enum(["t2", "t3-tool", "t3-prompt"]);
export type VariantSuite = z.infer<typeof VariantSuiteSchema>;

/** A run under variants of its harness: trial k acts under the variant of `seed + k`, in the words of `book`. */
export const VariantPlanSchema = z.object({
	suite: VariantSuiteSchema,
	book: BookNameSchema,
	envelope: EnvelopeSchema,
	seed: z.number().int(),
	/** Faults, one kind for each trial in turn: the first call of every tool fails so. Cases with faults of their own keep those. */
	faults: z.array(FaultKindSchema),
	/** Fingerprint of the model that says texts in other words; null for the seeded paraphrase alone. */
	rewriter: z.string().nullable().default(null),
});
export type VariantPlan = z.infer<typeof VariantPlanSchema>;

/** What T1 loses under variants, as proportions: T1 − T2, paired by case. */
export const RobustnessGapSchema = z.object({
	cases: z.number().int(),
	accuracy: IntervalSchema,
	effectiveness: IntervalSchema,
	avg: IntervalSchema,
});
export type RobustnessGap = z.infer<typeof RobustnessGapSchema>;

export const RunReasonSchema = z.enum(["manual", "baseline", "proposal", "landing", "round", "release", "holdout", "loop", "trigger"]);
export type RunReason = z.infer<typeof RunReasonSchema>;

/** What a run will take, told before it starts and kept beside the truth. Times in ms. */
export const RunEstimateSchema = z.object({
	planned: z.number().int(),
	promptTokens: z.number(),
	completionTokens: z.number(),
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
	tokens: z.object({ prompt: z.number(), completion: z.number() }),
	workers: z.number().int(),
});
export type RunProgress = z.infer<typeof RunProgressSchema>;

export const ResultVerdictSchema = z.enum(["passed", "partial", "failed", "infra-error"]);
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
export const ResultSortSchema = z.enum(["case", "category", "accuracy", "effectiveness", "latency", "tokens"]);

/** A case that differs between two runs, with the size of the change (mean over trials). */
export const FlipSchema = z.object({
	caseId: z.string(),
	caseKey: z.string(),
	category: z.string(),
	message: z.string(),
	dimension: z.enum(["accuracy", "effectiveness"]),
	/** after − before, in [−1, 1]. */
	change: z.number(),
	before: z.number(),
	after: z.number(),
	beforeEpisodeId: z.string().nullable(),
	afterEpisodeId: z.string().nullable(),
});
export type Flip = z.infer<typeof FlipSchema>;

/** Why two runs cannot be compared, as `Comparison.invalid` says it; `runs.compare.reason.<id>` of the messages translates it. */
export const INVALID_COMPARISONS = {
	"other-workspace": "The runs belong to different workspaces.",
	"other-judge": "The runs were judged by different versions of the judge: their scores cannot be compared.",
	"other-suite": "The runs are over different suites or splits.",
	"no-pair": "The runs have no case in common.",
} as const;

/** What a comparison of two holdout runs gives back: overall counts, no case, no category. */
export const SealedComparisonSchema = z.object({
	cases: z.number().int(),
	dimensions: z.object({
		accuracy: DimensionComparisonSchema.omit({ fixed: true, broken: true }).extend({ fixed: z.number().int(), broken: z.number().int() }),
		effectiveness: DimensionComparisonSchema.omit({ fixed: true, broken: true }).extend({ fixed: z.number().int(), broken: z.number().int() }),
	}),
	invalid: z.string().nullable(),
});
export type SealedComparison = z.infer<typeof SealedComparisonSchema>;
