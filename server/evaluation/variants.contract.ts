import * as z from "zod";
import { FaultKindSchema } from "@/server/agent/contract";
import { BookNameSchema, EnvelopeSchema } from "@/server/augmentation/contract";

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
