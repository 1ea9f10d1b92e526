import * as z from "zod";

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
	/** The adjusted 95 % interval of `avgDelta`, over the same pairs. */
	avgInterval: z.object({ low: z.number(), high: z.number() }).optional(),
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

/** One row of statistics: a case's mean scores over its valid trials. */
export interface CaseScore {
	caseId: string;
	category: string;
	trials: number;
	accuracy: number;
	effectiveness: number;
}

/** What T1 loses under variants, as proportions: T1 − T2, paired by case. */
export const RobustnessGapSchema = z.object({
	cases: z.number().int(),
	accuracy: IntervalSchema,
	effectiveness: IntervalSchema,
	avg: IntervalSchema,
});
export type RobustnessGap = z.infer<typeof RobustnessGapSchema>;

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
