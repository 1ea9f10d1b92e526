import * as z from "zod";
import type { Trajectory } from "@/server/agent/contract";
import { PhraseSchema } from "@/server/kernel/phrase.contract";

export const DimensionSchema = z.enum(["accuracy", "effectiveness"]);
export type Dimension = z.infer<typeof DimensionSchema>;

const dimension = (fallback: Dimension) => DimensionSchema.default(fallback);

/** One point of a case's rubric; see docs/workspace-format.md. */
export const RubricItemSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("fact"), path: z.string(), accept: z.array(z.string()).optional(), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("contains"), any: z.array(z.string().min(1)).min(1), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("not-contains"), any: z.array(z.string().min(1)).min(1), dimension: dimension("accuracy") }),
	z.object({ kind: z.literal("regex"), pattern: z.string().max(500), negate: z.boolean().default(false), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("reference"), metric: z.literal("chrf").default("chrf"), min: z.number().min(0).max(1), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("skill"), any: z.array(z.string()).min(1), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("tool"), all: z.array(z.string()).default([]), none: z.boolean().default(false), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("max-chars"), value: z.number().int().min(1), dimension: dimension("accuracy") }),
	z.object({ kind: z.literal("json-schema"), schema: z.record(z.string(), z.unknown()), dimension: dimension("effectiveness") }),
	z.object({ kind: z.literal("llm-rubric"), text: z.string(), dimension: dimension("effectiveness") }),
]);
export type RubricItem = z.infer<typeof RubricItemSchema>;
export const RubricSchema = z.array(RubricItemSchema).max(50);

export const ExpectationSchema = z.object({
	skills: z.array(z.string()).optional(),
	/** Strategy skills that fit this moment, one of them is enough; an empty list: none fits, loading one is a fault. */
	strategies: z.array(z.string()).optional(),
	tools: z.array(z.string()).optional(),
	noTool: z.boolean().optional(),
});
export type Expectation = z.infer<typeof ExpectationSchema>;

/** What the judge knows of a case beyond the episode. Never leaves judge and evaluation. */
export interface JudgeCase {
	category: string;
	rubric: RubricItem[];
	expect: Expectation;
	/** Reference replies of this case (dev) and, for the measure `reference-intent`, of each intent. */
	reference: string | null;
	references: { own: string[]; others: Record<string, string[]> } | null;
	room: Record<string, unknown>;
	world: Record<string, unknown>;
}

/** What the judge must know of the harness that was judged: which skills and tools there are, under which tags and handlers. */
export interface JudgedHarness {
	skills: { name: string; tags: string[]; type: "reply" | "strategy" }[];
	tools: { name: string; handler: string }[];
}

export const FailureTypeSchema = z.enum([
	"factual-error",
	"unsupported-number",
	"forbidden-claim",
	"limit-exceeded",
	"missing-point",
	"wrong-skill",
	"no-skill",
	"missing-tool",
	"wrong-tool",
	"tool-failure-unhandled",
	"no-answer",
	"blocked",
	"deadline",
	"off-reference",
	"addresses-judge",
]);
export type FailureType = z.infer<typeof FailureTypeSchema>;

export const EvidenceSchema = z.object({
	item: z.number().int().nullable(),
	kind: z.string(),
	dimension: z.enum(["accuracy", "effectiveness", "behaviour"]),
	ok: z.boolean(),
	/** The sentence of the reply it is about, where there is one. */
	sentence: z.string().optional(),
	/** The fact of the world, e.g. `products.p04.price = 99`. */
	fact: z.string().optional(),
	/** The rule in words that a person understands. */
	rule: z.string(),
	/** The same for a screen in another language; absent where a model wrote the rule, and in rows of old. */
	phrase: PhraseSchema.optional(),
});
export type Evidence = z.infer<typeof EvidenceSchema>;

export const VerdictSchema = z.object({
	version: z.literal(1),
	/** 0 | 1 */
	accuracy: z.number(),
	/** 0 | 0.5 | 1 */
	effectiveness: z.number(),
	/** 0 … 1, null where the case expects nothing. */
	skillSelection: z.number().nullable(),
	toolRationality: z.number().nullable(),
	/** Null without an injected fault. */
	recovered: z.boolean().nullable(),
	failureType: FailureTypeSchema.nullable(),
	/** The component the failure points to, e.g. `skill:price`. */
	blamed: z.string().nullable(),
	evidence: z.array(EvidenceSchema),
	/** Which engine wrote it: `rubric` or the endpoint's name. */
	engine: z.string(),
	/** Tokens that the judge's model took over all its votes; absent where the judge computes here. */
	tokens: z.number().int().optional(),
});
export type Verdict = z.infer<typeof VerdictSchema>;

/** Scores one episode. Never sees which of two candidates it scores. */
export interface Judge {
	/** `fingerprint` changes whenever a verdict can change; `concurrency`: requests that its endpoint takes at once, absent where it computes here. */
	describe(): { name: string; fingerprint: string; concurrency?: number };
	/** Throws AppError `upstream`, `rate-limited` or `timeout` for infrastructure faults of an LLM judge; the rubric judge never throws for what an episode holds. */
	judge(input: { case: JudgeCase; trajectory: Trajectory; harness: JudgedHarness }, signal: AbortSignal): Promise<Verdict>;
}

/** A version of the judge: the commit of its harness and the engine that runs it. */
export const JudgeVersionSchema = z.object({
	id: z.string(),
	workspaceId: z.string(),
	name: z.string(),
	commit: z.string(),
	treeId: z.string(),
	engine: z.enum(["rubric", "llm"]),
	endpointId: z.string().nullable(),
	fingerprint: z.string(),
	createdAt: z.date(),
});
export type JudgeVersion = z.infer<typeof JudgeVersionSchema>;
