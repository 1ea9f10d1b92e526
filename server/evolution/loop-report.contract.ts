import * as z from "zod";
import { VerdictWordSchema } from "@/server/evaluation/contract";

/** What `loop` and `replay-published` print. Scores are 0 to 100, deltas and intervals points; null where no episode was valid. */
const Score = z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable();

export const LoopScoresSchema = z.object({
	runId: z.string().nullable(),
	cases: z.number().int(),
	coverage: z.number(),
	accuracy: Score,
	effectiveness: Score,
	avg: z.number().nullable(),
	avgInterval: z.object({ low: z.number(), high: z.number() }).nullable(),
});

const Verdict = z.object({
	delta: z.number(),
	low: z.number(),
	high: z.number(),
	p: z.number(),
	verdict: VerdictWordSchema,
	nonInferior: z.boolean(),
	/** Numbers of cases. */
	fixed: z.number().int(),
	broken: z.number().int(),
});
const Against = z.object({ against: z.string(), accuracy: Verdict, effectiveness: Verdict, avgDelta: z.number() });

export const LoopRoundSchema = z.object({
	/** `base`, `Evo.1`, … */
	name: z.string(),
	commit: z.string().nullable(),
	dev: LoopScoresSchema.nullable(),
	test: LoopScoresSchema.nullable(),
	/** On test; null for the baseline. */
	verdicts: z
		.object({
			againstBaseline: Against,
			againstAnchor: Against,
			effect: z.enum(["anchor", "strike", "stale", "trade-off", "none"]),
			strikes: z.number().int(),
			stale: z.number().int(),
		})
		.nullable(),
	eligible: z.boolean(),
	proposals: z.array(
		z.object({
			number: z.number().int(),
			title: z.string(),
			engine: z.string(),
			status: z.string(),
			unattended: z.boolean(),
			files: z.array(z.string()),
			/** On dev against the branch; null where it was not evaluated. */
			devAvgDelta: z.number().nullable(),
		}),
	),
});
export type LoopRound = z.infer<typeof LoopRoundSchema>;

export const LoopReportSchema = z.object({
	workspace: z.string().nullable(),
	evolution: z.string().nullable(),
	rounds: z.array(LoopRoundSchema),
	/** Round names. */
	recommended: z.string().nullable(),
	stopped: z.string().nullable(),
	/** Tag, or null where nothing was released, with the reason. */
	release: z.string().nullable(),
	/** Why it ended before its end; null where it did not. */
	interrupted: z.string().nullable(),
	notes: z.array(z.string()),
});
export type LoopReport = z.infer<typeof LoopReportSchema>;
