import * as z from "zod";
import { ComparisonDigestSchema, GateResultSchema, PairRowSchema, PersonSchema } from "@/server/evolution/contract";
import { FileDiffSchema } from "@/server/harness/contract";
import { PhrasesSchema } from "@/server/kernel/phrase.contract";

export const ReleaseTagSchema = z.string().regex(/^v[1-9]\d{0,5}$/, "A release is named v1, v2, …");

/** policy: the same files with another policy. */
export const ReleaseKindSchema = z.enum(["release", "rollback", "policy"]);

export const ReleaseOverrideSchema = z.object({
	/** What the gate had said. */
	verdict: z.enum(["fail", "inconclusive"]),
	by: PersonSchema,
	reason: z.string(),
	at: z.coerce.date(),
});
export type ReleaseOverride = z.infer<typeof ReleaseOverrideSchema>;

export const ReleaseViewSchema = z.object({
	id: z.string(),
	number: z.number().int(),
	tag: z.string(),
	kind: ReleaseKindSchema,
	/** It is what `main` holds. */
	current: z.boolean(),
	commit: z.string(),
	treeId: z.string(),
	/** `Evo.2`; null for a rollback to what no round made. */
	round: z.object({ id: z.string(), name: z.string() }).nullable(),
	evolution: z.object({ id: z.string(), slug: z.string(), title: z.string() }).nullable(),
	/** Tag of the release before. */
	previous: z.string().nullable(),
	/** For a rollback: what it restored. */
	restored: z.string().nullable(),
	policy: z.object({ id: z.string(), name: z.string(), kind: z.string() }),
	judge: z.object({ id: z.string(), name: z.string(), engine: z.string() }),
	gate: GateResultSchema,
	override: ReleaseOverrideSchema.nullable(),
	runs: z.array(z.object({ id: z.string(), number: z.number().int() })),
	notes: z.string(),
	/** Lines of the notes for a screen in another language, as far as no person wrote them. */
	phrases: PhrasesSchema,
	unattended: z.boolean(),
	createdBy: PersonSchema,
	createdAt: z.date(),
});
export type ReleaseView = z.infer<typeof ReleaseViewSchema>;

const AlarmSchema = z.object({
	suite: z.string(),
	category: z.string(),
	dimension: z.enum(["accuracy", "effectiveness"]),
	fixed: z.number().int(),
	broken: z.number().int(),
	cases: z.number().int(),
	runId: z.string(),
	baseRunId: z.string(),
	acknowledged: z.boolean(),
});

const HoldoutUseSchema = z.object({ used: z.number().int(), max: z.number().int() });
const LeaveSchema = z.object({ by: PersonSchema, reason: z.string(), at: z.date() });

/** A closed round of any evolution, of which the files are not live. */
export const ReleaseCandidateSchema = z.object({
	roundId: z.string(),
	name: z.string(),
	evolution: z.object({ id: z.string(), title: z.string() }),
	eligible: z.boolean(),
});
export type ReleaseCandidate = z.infer<typeof ReleaseCandidateSchema>;

/** What would be released, before it is: the gate, what it rests on, the exact diff against what is live. */
export const ReleasePreviewSchema = z.object({
	round: z.object({ id: z.string(), name: z.string() }),
	evolution: z.object({ id: z.string(), slug: z.string(), title: z.string() }),
	commit: z.string(),
	treeId: z.string(),
	nextTag: z.string(),
	against: z.string(),
	/** What is live has exactly these files: there is nothing to release, and the gate compares them with themselves. */
	live: z.boolean(),
	gate: GateResultSchema,
	/** Category alarms of the pair that the gate compares; a reviewer acknowledges each in writing. */
	alarms: z.array(AlarmSchema),
	/** Runs of the gate that are still under way; making the release waits for them. */
	running: z.array(z.string()),
	holdout: HoldoutUseSchema,
	/** An admin's leave to release against a failing gate. */
	leave: LeaveSchema.nullable(),
	eligible: z.boolean(),
	recommended: z.boolean(),
	diff: z.array(FileDiffSchema),
	notes: z.string(),
	phrases: PhrasesSchema,
});
export type ReleasePreview = z.infer<typeof ReleasePreviewSchema>;

const PolicyNameSchema = z.object({ id: z.string(), name: z.string(), kind: z.string() });

/** A policy version beside the one in force, on the files that are live. */
export const PolicyPreviewSchema = z.object({
	policy: PolicyNameSchema,
	/** The policy in force. */
	current: PolicyNameSchema,
	/** The candidate is the policy in force. */
	inForce: z.boolean(),
	commit: z.string(),
	/** The release whose files stay, or `base`. */
	against: z.string(),
	nextTag: z.string(),
	/** Dev, test, T2 and T3, as far as they were run for both. */
	rows: z.array(PairRowSchema),
	gate: GateResultSchema,
	alarms: z.array(AlarmSchema),
	running: z.array(z.string()),
	holdout: HoldoutUseSchema,
	leave: LeaveSchema.nullable(),
});
export type PolicyPreview = z.infer<typeof PolicyPreviewSchema>;

export const RollbackPreviewSchema = z.object({
	/** `v1`, or `base`: what was live before the first release. */
	target: z.string(),
	current: z.string(),
	nextTag: z.string(),
	commit: z.string(),
	treeId: z.string(),
	diff: z.array(FileDiffSchema),
	/** What going back costs, where both were evaluated alike. */
	comparison: ComparisonDigestSchema.nullable(),
	/** What the person has to type. */
	confirmation: z.string(),
});
export type RollbackPreview = z.infer<typeof RollbackPreviewSchema>;

export const ReleaseComparisonSchema = z.object({
	from: z.string(),
	to: z.string(),
	diff: z.array(FileDiffSchema),
	comparison: ComparisonDigestSchema.nullable(),
	policyChanged: z.boolean(),
	judgeChanged: z.boolean(),
});
export type ReleaseComparison = z.infer<typeof ReleaseComparisonSchema>;

/** What a machine reads of a release over HTTP. */
export const ReleaseManifestSchema = z.object({
	apiVersion: z.literal("release/v1"),
	workspace: z.string(),
	tag: z.string(),
	kind: ReleaseKindSchema,
	commit: z.string(),
	tree: z.string(),
	/** SHA-256 of the archive's bytes. */
	digest: z.string(),
	archive: z.string(),
	policy: z.object({ name: z.string(), kind: z.string() }),
	judge: z.object({ name: z.string(), engine: z.string() }),
	gate: z.object({ verdict: z.string(), policyVersion: z.number().int(), overridden: z.boolean() }),
	releasedAt: z.string(),
	releasedBy: z.string(),
	notes: z.string(),
});
export type ReleaseManifest = z.infer<typeof ReleaseManifestSchema>;
