import { z } from "zod";
import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { type MergeConflict, MergeConflictSchema } from "@/server/harness/contract";
import { newId } from "@/server/kernel/id";
import { PhrasesSchema } from "@/server/kernel/phrase.contract";
import { ChangeManifestSchema, type ProposalStatus, ProposalStatusSchema } from "./contract";
import type { CommentRow, ProposalRow, ReviewRow, RevisionRow } from "./rows";

type Db = DatabaseOrTransaction;

const revisionSelect = {
	id: true,
	proposalId: true,
	index: true,
	baseCommit: true,
	commit: true,
	treeId: true,
	authorId: true,
	engine: true,
	manifest: true,
	devRunId: true,
	baseRunId: true,
	createdAt: true,
} as const satisfies Prisma.RevisionSelect;

const proposalSelect = {
	id: true,
	number: true,
	workspaceId: true,
	evolutionId: true,
	roundId: true,
	title: true,
	status: true,
	branch: true,
	engine: true,
	findingIds: true,
	authorIds: true,
	requestedById: true,
	landedCommit: true,
	landedById: true,
	landedAt: true,
	unattended: true,
	createdAt: true,
	updatedAt: true,
	revisions: { select: revisionSelect, orderBy: { index: "asc" } },
} as const satisfies Prisma.ProposalSelect;

const toRevision = (row: Prisma.RevisionGetPayload<{ select: typeof revisionSelect }>): RevisionRow => ({
	...row,
	manifest: ChangeManifestSchema.parse(row.manifest),
});

const toProposal = (row: Prisma.ProposalGetPayload<{ select: typeof proposalSelect }>): ProposalRow => ({
	...row,
	status: ProposalStatusSchema.parse(row.status),
	revisions: row.revisions.map(toRevision),
});

export async function findProposal(db: Db, workspaceId: string, id: string): Promise<ProposalRow | null> {
	const row = await db.proposal.findFirst({ where: { id, workspaceId }, select: proposalSelect });
	return row && toProposal(row);
}

export async function findProposalByNumber(db: Db, workspaceId: string, number: number): Promise<ProposalRow | null> {
	const row = await db.proposal.findFirst({ where: { number, workspaceId }, select: proposalSelect });
	return row && toProposal(row);
}

export async function getProposal(db: Db, id: string): Promise<ProposalRow> {
	return toProposal(await db.proposal.findUniqueOrThrow({ where: { id }, select: proposalSelect }));
}

/** Holds a proposal until the transaction ends, so that two actions on it follow one another. */
export async function lockProposal(tx: Db, id: string): Promise<ProposalRow> {
	await tx.$queryRaw`select 1 from "Proposal" where id = ${id} for update`;
	return getProposal(tx, id);
}

export interface ProposalFilter {
	evolutionId?: string;
	roundId?: string;
	status?: ProposalStatus[];
	findingId?: string;
	branchesOf?: string[];
}

/** Newest first. */
export async function listProposals(db: Db, workspaceId: string, filter: ProposalFilter = {}, take = 200): Promise<ProposalRow[]> {
	const rows = await db.proposal.findMany({
		where: {
			workspaceId,
			evolutionId: filter.evolutionId,
			roundId: filter.roundId,
			status: filter.status && { in: filter.status },
			findingIds: filter.findingId === undefined ? undefined : { has: filter.findingId },
		},
		orderBy: { number: "desc" },
		take,
		select: proposalSelect,
	});
	return rows.map(toProposal);
}

/** How many proposals landed in a workspace after `from`, up to `to`. */
export async function countLandings(db: Db, workspaceId: string, from: Date, to: Date): Promise<number> {
	return db.proposal.count({ where: { workspaceId, landedAt: { gt: from, lte: to } } });
}

export type NewProposal = Pick<
	ProposalRow,
	"id" | "number" | "workspaceId" | "evolutionId" | "roundId" | "title" | "branch" | "engine" | "findingIds" | "authorIds" | "requestedById" | "unattended"
> & { taskId: string | null };

export async function insertProposal(db: Db, input: NewProposal): Promise<void> {
	await db.proposal.create({ data: { ...input, status: "draft" } });
}

export async function insertRevision(
	db: Db,
	input: Pick<RevisionRow, "proposalId" | "index" | "baseCommit" | "commit" | "treeId" | "authorId" | "engine" | "manifest">,
): Promise<string> {
	const id = newId("rev");
	await db.revision.create({ data: { id, ...input, manifest: input.manifest as Prisma.InputJsonValue } });
	return id;
}

export async function updateProposal(
	db: Db,
	id: string,
	data: Partial<Pick<ProposalRow, "status" | "title" | "roundId" | "authorIds" | "findingIds" | "landedCommit" | "landedById" | "landedAt" | "unattended">> & {
		conflict?: MergeConflict[];
	},
): Promise<void> {
	await db.proposal.update({ where: { id }, data: data as Prisma.ProposalUpdateInput });
}

export async function setRevisionRuns(db: Db, id: string, runs: { devRunId: string; baseRunId: string }): Promise<void> {
	await db.revision.update({ where: { id }, data: runs });
}

export async function findConflicts(db: Db, proposalId: string): Promise<MergeConflict[]> {
	const row = await db.proposal.findUniqueOrThrow({ where: { id: proposalId }, select: { conflict: true } });
	return z.array(MergeConflictSchema).parse(row.conflict ?? []);
}

/** Proposals being evaluated whose last revision waits for a run. */
export async function findProposalsOfRun(db: Db, runId: string): Promise<string[]> {
	const rows = await db.revision.findMany({
		where: { OR: [{ devRunId: runId }, { baseRunId: runId }], proposal: { status: "evaluating" } },
		select: { proposalId: true },
		distinct: ["proposalId"],
	});
	return rows.map((row) => row.proposalId);
}

// ---- reviews and comments ----

const reviewSelect = {
	id: true,
	proposalId: true,
	revisionId: true,
	userId: true,
	verdict: true,
	body: true,
	phrases: true,
	unattended: true,
	createdAt: true,
} as const satisfies Prisma.ReviewSelect;

export async function listReviews(db: Db, proposalIds: readonly string[]): Promise<ReviewRow[]> {
	const rows = await db.review.findMany({ where: { proposalId: { in: [...proposalIds] } }, orderBy: { createdAt: "asc" }, select: reviewSelect });
	return rows.map((row) => ({ ...row, verdict: row.verdict as ReviewRow["verdict"], phrases: PhrasesSchema.parse(row.phrases) }));
}

export async function insertReview(db: Db, input: Omit<ReviewRow, "id" | "createdAt">): Promise<void> {
	await db.review.create({ data: { id: newId("rvw"), ...input } });
}

const commentSelect = {
	id: true,
	proposalId: true,
	revisionId: true,
	parentId: true,
	path: true,
	line: true,
	side: true,
	body: true,
	userId: true,
	resolvedAt: true,
	resolvedById: true,
	createdAt: true,
} as const satisfies Prisma.ReviewCommentSelect;

const toComment = (row: Prisma.ReviewCommentGetPayload<{ select: typeof commentSelect }>): CommentRow => ({ ...row, side: row.side as CommentRow["side"] });

export async function listComments(db: Db, proposalId: string): Promise<CommentRow[]> {
	return (await db.reviewComment.findMany({ where: { proposalId }, orderBy: { createdAt: "asc" }, select: commentSelect })).map(toComment);
}

export async function findComment(db: Db, proposalId: string, id: string): Promise<CommentRow | null> {
	const row = await db.reviewComment.findFirst({ where: { id, proposalId }, select: commentSelect });
	return row && toComment(row);
}

export async function insertComment(db: Db, input: Omit<CommentRow, "id" | "createdAt" | "resolvedAt" | "resolvedById">): Promise<string> {
	const id = newId("com");
	await db.reviewComment.create({ data: { id, ...input } });
	return id;
}

export async function setCommentResolved(db: Db, id: string, by: { userId: string; at: Date } | null): Promise<void> {
	await db.reviewComment.update({ where: { id }, data: { resolvedAt: by?.at ?? null, resolvedById: by?.userId ?? null } });
}

/** Open threads by proposal. */
export async function countUnresolved(db: Db, proposalIds: readonly string[]): Promise<Map<string, number>> {
	const rows = await db.reviewComment.groupBy({
		by: ["proposalId"],
		where: { proposalId: { in: [...proposalIds] }, parentId: null, resolvedAt: null },
		_count: { _all: true },
	});
	return new Map(rows.map((row) => [row.proposalId, row._count._all]));
}
