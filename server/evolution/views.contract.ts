import * as z from "zod";
import { ComparisonSchema, RunStatusSchema } from "@/server/evaluation/contract";
import { FileDiffSchema, MergeConflictSchema, ProblemSchema } from "@/server/harness/contract";
import { FailureTypeSchema } from "@/server/judge/contract";
import { PhrasesSchema } from "@/server/kernel/phrase.contract";
import { ChangeManifestSchema, FindingStatusSchema, GateCheckSchema, ProposalStatusSchema, ReasonSchema, RoundStandingSchema } from "./core.contract";
import { ComparisonDigestSchema, LandedProposalSchema, PersonSchema, RoundReleaseSchema, RoundScoresSchema } from "./overview.contract";

// ---- findings ----

export const FindingExampleSchema = z.object({
	caseId: z.string(),
	episodeId: z.string(),
	message: z.string(),
	reply: z.string().nullable(),
	/** What the judge said, in words. */
	rules: z.array(z.string()),
	/** The same for a screen in another language, by the rule's text. */
	phrases: PhrasesSchema.optional(),
	loadedSkills: z.array(z.string()),
});

export const FindingViewSchema = z.object({
	id: z.string(),
	number: z.number().int(),
	evolutionId: z.string(),
	round: z.string(),
	runId: z.string(),
	/** Null where the run is gone. */
	runNumber: z.number().int().nullable(),
	/** The diagnosis that wrote it. */
	taskId: z.string().nullable(),
	category: z.string(),
	failureType: FailureTypeSchema,
	/** `skill:price`; null when a component is missing. */
	component: z.string().nullable(),
	title: z.string(),
	hypothesis: z.string(),
	/** As the engine wrote it, where a person modified it. */
	original: z.object({ title: z.string(), hypothesis: z.string() }).nullable(),
	/** Title, hypothesis and note for a screen in another language, as far as no person wrote them. */
	phrases: PhrasesSchema,
	confidence: z.number(),
	engine: z.string(),
	status: FindingStatusSchema,
	/** Share of the failed cases. */
	share: z.number(),
	cases: z.number().int(),
	caseIds: z.array(z.string()),
	examples: z.array(FindingExampleSchema),
	note: z.string().nullable(),
	decidedBy: PersonSchema.nullable(),
	decidedAt: z.date().nullable(),
	/** Open or landed proposals for it. */
	proposals: z.array(z.object({ id: z.string(), number: z.number().int(), status: ProposalStatusSchema })),
});
export type FindingView = z.infer<typeof FindingViewSchema>;

export const TaskViewSchema = z.object({
	id: z.string(),
	kind: z.enum(["diagnose", "edit"]),
	status: z.enum(["queued", "running", "done", "failed", "cancelled"]),
	engine: z.string().nullable(),
	/** e.g. why the built-in engine took over. */
	notice: z.string().nullable(),
	noticeReasons: z.array(ReasonSchema),
	error: z.string().nullable(),
	errorReasons: z.array(ReasonSchema),
	findings: z.number().int().nullable(),
	/** The findings that an edit was asked for. */
	findingIds: z.array(z.string()),
	proposalId: z.string().nullable(),
	problems: z.array(ProblemSchema),
	/** It waits for this run. */
	waitingForRunId: z.string().nullable(),
	createdAt: z.date(),
	finishedAt: z.date().nullable(),
});
export type TaskView = z.infer<typeof TaskViewSchema>;

// ---- proposals ----

export const ProposalSummarySchema = z.object({
	id: z.string(),
	number: z.number().int(),
	title: z.string(),
	status: ProposalStatusSchema,
	engine: z.string(),
	authors: z.array(PersonSchema),
	evolution: z.object({ id: z.string(), slug: z.string(), title: z.string(), branch: z.string() }),
	round: z.string(),
	files: z.number().int(),
	findings: z.array(z.object({ id: z.string(), number: z.number().int(), title: z.string() })),
	/** Its title, and its findings' titles, for a screen in another language, as far as no person wrote them. */
	phrases: PhrasesSchema,
	unresolved: z.number().int(),
	unattended: z.boolean(),
	/** AVG against the branch, where it was evaluated. */
	avgDelta: z.number().nullable(),
	createdAt: z.date(),
	updatedAt: z.date(),
	landedAt: z.date().nullable(),
});
export type ProposalSummary = z.infer<typeof ProposalSummarySchema>;

export const RevisionViewSchema = z.object({
	id: z.string(),
	index: z.number().int(),
	commit: z.string(),
	baseCommit: z.string(),
	treeId: z.string(),
	author: PersonSchema,
	engine: z.string(),
	manifest: ChangeManifestSchema,
	createdAt: z.date(),
	devRunId: z.string().nullable(),
	baseRunId: z.string().nullable(),
});

/** What the manifest said would happen on `dev`, beside what happened. */
export const PredictionSchema = z.object({
	/** predicted and fixed / predicted and not fixed / fixed without being predicted */
	fixes: z.object({ happened: z.array(z.string()), missed: z.array(z.string()), extra: z.array(z.string()) }),
	breaks: z.object({ happened: z.array(z.string()), missed: z.array(z.string()), surprise: z.array(z.string()) }),
});
export type Prediction = z.infer<typeof PredictionSchema>;

export const EvidenceViewSchema = z.object({
	run: RoundScoresSchema,
	base: RoundScoresSchema,
	/** Null until both runs are done. */
	comparison: ComparisonSchema.nullable(),
	prediction: PredictionSchema.nullable(),
	hookRetries: z.object({ before: z.number(), after: z.number() }).nullable(),
	latencyP50Ms: z.object({ before: z.number(), after: z.number() }).nullable(),
	noise: z.number().nullable(),
});

export const CommentViewSchema = z.object({
	id: z.string(),
	parentId: z.string().nullable(),
	/** Index of the revision it was written on. */
	revision: z.number().int(),
	path: z.string().nullable(),
	line: z.number().int().nullable(),
	side: z.enum(["old", "new"]).nullable(),
	body: z.string(),
	author: PersonSchema,
	createdAt: z.date(),
	resolvedAt: z.date().nullable(),
	resolvedBy: PersonSchema.nullable(),
});
export type CommentView = z.infer<typeof CommentViewSchema>;

export const ReviewViewSchema = z.object({
	id: z.string(),
	verdict: z.enum(["approve", "request-changes", "reject", "comment"]),
	body: z.string(),
	/** The body for a screen in another language, where no person wrote it. */
	phrases: PhrasesSchema,
	author: PersonSchema,
	revision: z.number().int(),
	unattended: z.boolean(),
	createdAt: z.date(),
});

/** What the person who asks may do now, each with the reasons why not (slugs that the screen says). */
export const AllowedSchema = z.object({ ok: z.boolean(), reasons: z.array(z.string()) });

export const ProposalDetailSchema = ProposalSummarySchema.extend({
	requestedBy: PersonSchema,
	branchHead: z.string(),
	/** The branch has moved since the last revision was made. */
	baseMoved: z.boolean(),
	revisions: z.array(RevisionViewSchema),
	files: z.number().int(),
	diff: z.array(FileDiffSchema),
	problems: z.array(ProblemSchema),
	evidence: EvidenceViewSchema.nullable(),
	/** What a reviewer should see checked. Those that block keep it from landing; the others are for the reviewer to weigh. */
	checks: z.array(GateCheckSchema.extend({ blocks: z.boolean() })),
	comments: z.array(CommentViewSchema),
	reviews: z.array(ReviewViewSchema),
	conflicts: z.array(MergeConflictSchema),
	landedCommit: z.string().nullable(),
	landedBy: PersonSchema.nullable(),
	may: z.object({
		edit: AllowedSchema,
		submit: AllowedSchema,
		update: AllowedSchema,
		withdraw: AllowedSchema,
		requestChanges: AllowedSchema,
		reject: AllowedSchema,
		land: AllowedSchema,
	}),
});
export type ProposalDetail = z.infer<typeof ProposalDetailSchema>;

// ---- rounds ----

export const RoundDetailSchema = z.object({
	id: z.string(),
	index: z.number().int(),
	name: z.string(),
	status: z.enum(["open", "closing", "closed"]),
	/** As in the overview: one of its runs has to be started again. */
	stalled: z.boolean(),
	evolution: z.object({ id: z.string(), slug: z.string(), title: z.string(), status: z.enum(["active", "stopped", "closed"]) }),
	commit: z.string().nullable(),
	baseCommit: z.string(),
	openedAt: z.date(),
	closedAt: z.date().nullable(),
	closedBy: PersonSchema.nullable(),
	unattended: z.boolean(),
	standing: RoundStandingSchema.nullable(),
	dev: RoundScoresSchema.nullable(),
	test: RoundScoresSchema.nullable(),
	regression: z.array(z.object({ suiteKey: z.string(), runId: z.string(), status: RunStatusSchema })),
	againstBaseline: ComparisonDigestSchema.nullable(),
	againstAnchor: ComparisonDigestSchema.nullable(),
	/** Alarms of this round's test run against the anchor's. */
	alarms: z.array(
		z.object({
			category: z.string(),
			dimension: z.enum(["accuracy", "effectiveness"]),
			fixed: z.number().int(),
			broken: z.number().int(),
			cases: z.number().int(),
			runId: z.string(),
			baseRunId: z.string(),
			acknowledged: z.object({ by: PersonSchema, reason: z.string(), at: z.date() }).nullable(),
		}),
	),
	findings: z.object({
		runId: z.string().nullable(),
		at: z.date().nullable(),
		/** Who asked for the diagnoses. */
		diagnosedBy: z.array(PersonSchema),
		proposed: z.number().int(),
		accepted: z.number().int(),
		rejected: z.number().int(),
		decidedBy: z.array(PersonSchema),
		lastDecidedAt: z.date().nullable(),
	}),
	proposals: z.array(ProposalSummarySchema),
	landed: z.array(LandedProposalSchema),
	/** Null: it was never released. */
	release: RoundReleaseSchema.nullable(),
	/** Predictions of the landed manifests beside what happened on dev, summed over the round's proposals. */
	prediction: z
		.object({
			predictedFixes: z.number().int(),
			happened: z.number().int(),
			predictedBreaks: z.number().int(),
			/** Of the predicted breaks. */
			happenedBreaks: z.number().int(),
			surpriseBreaks: z.number().int(),
		})
		.nullable(),
	may: z.object({ close: AllowedSchema, evaluate: AllowedSchema }),
});
export type RoundDetail = z.infer<typeof RoundDetailSchema>;

// ---- gate policy ----

export const GatePolicyViewSchema = z.object({
	version: z.number().int(),
	content: z.record(z.string(), z.unknown()),
	reason: z.string(),
	createdBy: PersonSchema.nullable(),
	createdAt: z.date().nullable(),
});
