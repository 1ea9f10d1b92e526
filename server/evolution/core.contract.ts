import * as z from "zod";
import type { Problem } from "@/server/harness/contract";
import { FailureTypeSchema } from "@/server/judge/contract";
import { PhraseSchema, PhrasesSchema } from "@/server/kernel/phrase.contract";
import type { LocalizedText } from "@/server/workspace/contract";

/** What a proposal says of itself; written by whoever edits, checked against what happens. */
export const ChangeManifestSchema = z.object({
	summary: z.string().min(1).max(2000),
	failurePattern: z.string().max(2000).default(""),
	files: z.array(z.string()),
	/** Case ids of `dev`. */
	predictedFixes: z.array(z.string()).default([]),
	predictedBreaks: z.array(z.string()).default([]),
	/** Lines of summary and pattern that an engine or the studio wrote, for a screen in another language. */
	phrases: PhrasesSchema.optional(),
});
export type ChangeManifest = z.infer<typeof ChangeManifestSchema>;

/** What the diagnosis may see of one failed episode: trajectory and verdict evidence; never the rubric. */
export const DiagnosisCaseSchema = z.object({
	caseId: z.string(),
	episodeId: z.string(),
	category: z.string(),
	message: z.string(),
	reply: z.string().nullable(),
	failureType: FailureTypeSchema,
	blamed: z.string().nullable(),
	loadedSkills: z.array(z.string()),
	/** Tool calls as made: name, handler, ok, result. */
	toolCalls: z.array(z.object({ name: z.string(), handler: z.string(), ok: z.boolean(), result: z.unknown(), fault: z.string().optional() })),
	evidence: z.array(
		z.object({
			kind: z.string(),
			ok: z.boolean(),
			rule: z.string(),
			sentence: z.string().optional(),
			fact: z.string().optional(),
			phrase: PhraseSchema.optional(),
		}),
	),
	/** Reference reply: `dev` only. */
	reference: z.string().nullable(),
});
export type DiagnosisCase = z.infer<typeof DiagnosisCaseSchema>;

export const FindingDraftSchema = z.object({
	category: z.string(),
	failureType: FailureTypeSchema,
	/** `skill:price`; null when no component is at fault (a missing one). */
	component: z.string().nullable(),
	title: z.string(),
	hypothesis: z.string(),
	/** Title and hypothesis as phrases, where the engine is no model. */
	phrases: PhrasesSchema.optional(),
	confidence: z.number().min(0).max(1),
	caseIds: z.array(z.string()),
	episodeIds: z.array(z.string()),
});
export type FindingDraft = z.infer<typeof FindingDraftSchema>;

/** Why something is as it is, for a screen: slug and values of `errors.<reason>`. */
export const ReasonSchema = z.object({ reason: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) });
export type Reason = z.infer<typeof ReasonSchema>;

/** What a person should know of how an engine's work came about: in English for logs and the command line, as reasons for the screen. */
export interface EngineNotice {
	text: string;
	/** The second, where there is one, is the cause of the first. */
	reasons: Reason[];
}

/** Wraps every engine output: which engine wrote it, and a notice when a fallback took over. */
export interface EngineResult<T> {
	engine: string;
	notice: EngineNotice | null;
	value: T;
}

/** Titles of the workspace's categories, by id. */
export type CategoryTitles = Readonly<Record<string, LocalizedText>>;

export interface DiagnosisEngine {
	diagnose(
		input: { failed: DiagnosisCase[]; total: number; files: Record<string, string>; language: string; titles?: CategoryTitles },
		signal: AbortSignal,
	): Promise<EngineResult<FindingDraft[]>>;
}

export interface EditingEngine {
	/** Proposes changes of files (text writes, null deletes) for confirmed findings, or none when it has nothing general to say. */
	edit(
		input: {
			findings: {
				title: string;
				hypothesis: string;
				category: string;
				failureType: string;
				component: string | null;
				note: string | null;
				cases: DiagnosisCase[];
			}[];
			/** All failures of the findings' run: what the findings' cases are told apart from. */
			failures?: DiagnosisCase[];
			/** Dev messages that pass today: what must not break. Messages, loaded skills and replies only. */
			passing: { caseId: string; category: string; message: string; loadedSkills: string[]; reply: string | null; reference: string | null }[];
			files: Record<string, string>;
			/** Problems of a harness in this workspace (its handlers, connections, rooms), as a person's edit gets them. Absent: the format alone is checked. */
			validate?(files: Record<string, string>): Promise<Problem[]>;
			language: string;
			titles?: CategoryTitles;
			seed: number;
		},
		signal: AbortSignal,
	): Promise<EngineResult<{ changes: Record<string, string | null>; manifest: ChangeManifest } | null>>;
}

export const GatePolicySchema = z.object({
	/** Suite key → standing. */
	suites: z.record(z.string(), z.enum(["critical", "supporting", "informational"])).default({ t1: "critical" }),
	criticalDimensions: z.array(z.enum(["accuracy", "effectiveness"])).default(["accuracy", "effectiveness"]),
	deltaPoints: z.number().min(0).max(20).default(1),
	marginPoints: z.number().min(0).max(20).default(3),
	alpha: z.number().min(0.001).max(0.2).default(0.05),
	minCoverage: z.number().min(0).max(1).default(0.6),
	alarmMinNet: z.number().int().min(1).default(3),
	alarmMinShare: z.number().min(0).max(1).default(0.15),
	patience: z.number().int().min(1).max(10).default(2),
	maxHoldoutReadings: z.number().int().min(0).max(10).default(3),
	useHoldout: z.boolean().default(true),
});
export type GatePolicy = z.infer<typeof GatePolicySchema>;

/** `ok` null: not known yet. `waived`: it does not count here, and says what it would have said. */
export const GateCheckSchema = z.object({ id: z.string(), ok: z.boolean().nullable(), label: z.string(), detail: z.string(), waived: z.boolean().optional() });
export type GateCheck = z.infer<typeof GateCheckSchema>;

const HoldoutDimensionSchema = z.object({ fixed: z.number().int(), broken: z.number().int(), delta: z.number(), p: z.number() });
/** All that ever leaves the holdout: overall counts. */
export const HoldoutCountsSchema = z.object({ cases: z.number().int(), accuracy: HoldoutDimensionSchema, effectiveness: HoldoutDimensionSchema });
export type HoldoutCounts = z.infer<typeof HoldoutCountsSchema>;

export const GateResultSchema = z.object({
	verdict: z.enum(["pass", "fail", "inconclusive"]),
	checks: z.array(GateCheckSchema),
	policyVersion: z.number().int(),
});
export type GateResult = z.infer<typeof GateResultSchema>;

/** Where a round stands: against the baseline, against the anchor, and what it does to the early stop. */
export const RoundStandingSchema = z.object({
	againstBaseline: z
		.object({ accuracy: z.string(), effectiveness: z.string(), accuracyDelta: z.number(), effectivenessDelta: z.number(), nonInferior: z.boolean() })
		.nullable(),
	againstAnchor: z
		.object({ anchor: z.string(), accuracy: z.string(), effectiveness: z.string(), accuracyDelta: z.number(), effectivenessDelta: z.number() })
		.nullable(),
	eligible: z.boolean(),
	effect: z.enum(["anchor", "strike", "stale", "trade-off", "none"]),
	/** Name of the anchor once this round is counted. */
	anchorAfter: z.string(),
	strikes: z.number().int(),
	stale: z.number().int(),
	stopped: z.boolean(),
	reasons: z.array(z.string()),
});
export type RoundStanding = z.infer<typeof RoundStandingSchema>;

export const ProposalStatusSchema = z.enum(["draft", "evaluating", "in-review", "changes-requested", "landed", "rejected", "conflict", "withdrawn"]);
export type ProposalStatus = z.infer<typeof ProposalStatusSchema>;
export const FindingStatusSchema = z.enum(["proposed", "accepted", "modified", "rejected", "addressed", "superseded"]);
export type FindingStatus = z.infer<typeof FindingStatusSchema>;
