import { z } from "zod";
import { ExpectationSchema, RubricSchema } from "@/server/judge/contract";
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
