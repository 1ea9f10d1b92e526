import { narrowEnvelope } from "@/server/augmentation";
import type { Envelope } from "@/server/augmentation/contract";
import type { VariantPlan, VariantSuite } from "./contract";

/** Variants of suites have seeds of their own: training stays below. A number of ours. */
const FIRST_SEED = 2 ** 30;
/** Most variants of a run, so that the seeds of two runs never meet. */
export const MAX_VARIANTS = 20;

/** Faults of T3 tool, one kind for each variant in turn. */
const FAULTS = ["timeout", "malformed", "empty", "stale", "permission-denied"] as const;

/**
 * The runs of a suite under variants. T2: inside the envelope (the transforms' own words, new seeds), and in words that no
 * training sees (never a model's, which training may have seen). T3 tool: rewritten tools × faults. T3 prompt: rewritten and reordered prompts with perturbed limits.
 */
export function planSuite(suite: VariantSuite, envelope: Envelope, seed: number, rewriter: string | null): { row: string; plan: VariantPlan }[] {
	const base = { suite, envelope, seed: FIRST_SEED + seed * MAX_VARIANTS, book: "transforms" as const, faults: [], rewriter };
	if (suite === "t3-tool") return [{ row: "tools", plan: { ...base, envelope: narrowEnvelope(envelope, ["tools"]), faults: [...FAULTS] } }];
	if (suite === "t3-prompt") return [{ row: "prompts", plan: { ...base, envelope: narrowEnvelope(envelope, ["prompts"]) } }];
	return [
		{ row: "inside-envelope", plan: base },
		{ row: "held-out-paraphrases", plan: { ...base, book: "held-out", rewriter: null } },
	];
}
