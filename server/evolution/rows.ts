import { z } from "zod";
import { ProblemSchema } from "@/server/harness/contract";
import { type Phrases, PhrasesSchema } from "@/server/kernel/phrase.contract";
import { type ChangeManifest, type FindingStatus, type ProposalStatus, ReasonSchema, type RoundStanding } from "./contract";

/** What the repositories return. JSON columns are parsed by these schemas, never cast. */
export const ReopeningSchema = z.object({ afterRound: z.number().int(), reason: z.string(), byId: z.string(), at: z.coerce.date() });
export const StopReasonSchema = z.object({
	afterRound: z.number().int(),
	strikes: z.number().int(),
	stale: z.number().int(),
	sparse: z.object({ alone: z.number().int(), failures: z.number().int() }).nullable(),
});

export interface EvolutionRow {
	id: string;
	number: number;
	workspaceId: string;
	slug: string;
	title: string;
	branch: string;
	baseCommit: string;
	status: "active" | "stopped" | "closed";
	patience: number;
	policyVersionId: string;
	judgeVersionId: string;
	suiteVersionId: string;
	trials: number;
	seed: number;
	stopReason: z.infer<typeof StopReasonSchema> | null;
	stoppedAt: Date | null;
	stoppedAfter: number | null;
	reopenings: z.infer<typeof ReopeningSchema>[];
	createdById: string;
	createdAt: Date;
	closedAt: Date | null;
}

export interface RoundRow {
	id: string;
	evolutionId: string;
	index: number;
	status: "open" | "closing" | "closed";
	headCommit: string | null;
	treeId: string | null;
	devRunId: string | null;
	testRunId: string | null;
	regressionRunIds: string[];
	/** Runs under variants (T2, T3); the standing does not wait for them. */
	variantRunIds: string[];
	standing: RoundStanding | null;
	closedById: string | null;
	unattended: boolean;
	openedAt: Date;
	closedAt: Date | null;
}

export const TaskInputSchema = z.object({
	/** The dev run that is diagnosed; the task waits for it. */
	runId: z.string().optional(),
	findingIds: z.array(z.string()).default([]),
	seed: z.number().int().default(1),
	/** The control experiment: what belongs to one failure is dealt to another. */
	shuffle: z.boolean().default(false),
});
export const TaskResultSchema = z.object({
	findings: z.number().int().optional(),
	proposalId: z.string().optional(),
	problems: z.array(ProblemSchema).default([]),
	/** `notice` and `error` for a screen; the columns hold the English text. */
	noticeReasons: z.array(ReasonSchema).default([]),
	errorReasons: z.array(ReasonSchema).default([]),
});

export type TaskResultInput = z.input<typeof TaskResultSchema>;

export interface TaskRow {
	id: string;
	workspaceId: string;
	evolutionId: string;
	kind: "diagnose" | "edit";
	status: "queued" | "running" | "done" | "failed" | "cancelled";
	input: z.infer<typeof TaskInputSchema>;
	result: z.infer<typeof TaskResultSchema> | null;
	engine: string | null;
	notice: string | null;
	error: string | null;
	unattended: boolean;
	requestedById: string;
	createdAt: Date;
	startedAt: Date | null;
	finishedAt: Date | null;
}

/** Kept with a finding: a few examples, so that a page needs no trajectory, and the engine's own words where a person changed them. */
export const FindingEvidenceSchema = z.object({
	examples: z
		.array(
			z.object({
				caseId: z.string(),
				episodeId: z.string(),
				message: z.string(),
				reply: z.string().nullable(),
				rules: z.array(z.string()),
				/** The rules for a screen in another language, by their text. */
				phrases: PhrasesSchema.optional(),
				loadedSkills: z.array(z.string()),
			}),
		)
		.default([]),
	original: z.object({ title: z.string(), hypothesis: z.string() }).nullable().default(null),
	/** Title, hypothesis and note, as far as no person wrote them, for a screen in another language. */
	phrases: PhrasesSchema.default({}),
});
export type FindingEvidence = z.infer<typeof FindingEvidenceSchema>;

export interface FindingRow {
	id: string;
	number: number;
	evolutionId: string;
	roundId: string;
	runId: string;
	/** The diagnosis that wrote it. */
	taskId: string | null;
	category: string;
	failureType: string;
	component: string | null;
	title: string;
	hypothesis: string;
	confidence: number;
	engine: string;
	status: FindingStatus;
	share: number;
	caseIds: string[];
	episodeIds: string[];
	evidence: FindingEvidence;
	note: string | null;
	decidedById: string | null;
	decidedAt: Date | null;
	createdAt: Date;
}

export interface RevisionRow {
	id: string;
	proposalId: string;
	index: number;
	baseCommit: string;
	commit: string;
	treeId: string;
	authorId: string;
	engine: string;
	manifest: ChangeManifest;
	devRunId: string | null;
	baseRunId: string | null;
	createdAt: Date;
}

export interface ProposalRow {
	id: string;
	number: number;
	workspaceId: string;
	evolutionId: string;
	roundId: string;
	title: string;
	status: ProposalStatus;
	branch: string;
	engine: string;
	findingIds: string[];
	authorIds: string[];
	requestedById: string;
	landedCommit: string | null;
	landedById: string | null;
	landedAt: Date | null;
	unattended: boolean;
	createdAt: Date;
	updatedAt: Date;
	/** In order; a proposal always has one. */
	revisions: RevisionRow[];
}

export interface ReviewRow {
	id: string;
	proposalId: string;
	revisionId: string;
	userId: string;
	verdict: "approve" | "request-changes" | "reject" | "comment";
	body: string;
	phrases: Phrases;
	unattended: boolean;
	createdAt: Date;
}

export interface CommentRow {
	id: string;
	proposalId: string;
	revisionId: string;
	parentId: string | null;
	path: string | null;
	line: number | null;
	side: "old" | "new" | null;
	body: string;
	userId: string;
	resolvedAt: Date | null;
	resolvedById: string | null;
	createdAt: Date;
}

/** The revision that counts. */
export const lastRevisionOf = (proposal: Pick<ProposalRow, "revisions">): RevisionRow | undefined => proposal.revisions.at(-1);
