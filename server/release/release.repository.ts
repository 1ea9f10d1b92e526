import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { type GateResult, GateResultSchema, type HoldoutCounts, HoldoutCountsSchema } from "@/server/evolution/contract";
import { newId } from "@/server/kernel/id";
import { type Phrases, PhrasesSchema } from "@/server/kernel/phrase.contract";
import { type ReleaseOverride, ReleaseOverrideSchema } from "./contract";

type Db = DatabaseOrTransaction;

const select = {
	id: true,
	number: true,
	workspaceId: true,
	tag: true,
	kind: true,
	status: true,
	mainBefore: true,
	commit: true,
	treeId: true,
	evolutionId: true,
	roundId: true,
	previousId: true,
	restored: true,
	policyVersionId: true,
	policyBeforeId: true,
	judgeVersionId: true,
	gatePolicyVersion: true,
	runIds: true,
	gate: true,
	override: true,
	notes: true,
	phrases: true,
	unattended: true,
	createdById: true,
	createdAt: true,
} as const satisfies Prisma.ReleaseSelect;

export type ReleaseRow = Omit<Prisma.ReleaseGetPayload<{ select: typeof select }>, "gate" | "override" | "kind" | "status" | "phrases"> & {
	phrases: Phrases;
	kind: "release" | "rollback" | "policy";
	status: "pending" | "made";
	gate: GateResult;
	override: ReleaseOverride | null;
};

const toRow = (row: Prisma.ReleaseGetPayload<{ select: typeof select }>): ReleaseRow => ({
	...row,
	kind: row.kind as ReleaseRow["kind"],
	status: row.status as ReleaseRow["status"],
	phrases: PhrasesSchema.parse(row.phrases),
	gate: GateResultSchema.parse(row.gate),
	override: ReleaseOverrideSchema.nullable().parse(row.override),
});

/** Made releases, newest first. */
export async function listReleases(db: Db, workspaceId: string): Promise<ReleaseRow[]> {
	return (await db.release.findMany({ where: { workspaceId, status: "made" }, orderBy: { number: "desc" }, select })).map(toRow);
}

/** Tags of the releases that bind a policy version, or put another in its place; newest first. */
export async function listTagsOfPolicy(db: Db, workspaceId: string, policyVersionId: string): Promise<string[]> {
	const where = { workspaceId, OR: [{ policyVersionId }, { policyBeforeId: policyVersionId }] };
	return (await db.release.findMany({ where, select: { tag: true }, orderBy: { createdAt: "desc" } })).map(({ tag }) => tag);
}

export async function findRelease(db: Db, workspaceId: string, tag: string): Promise<ReleaseRow | null> {
	const row = await db.release.findFirst({ where: { workspaceId, tag, status: "made" }, select });
	return row && toRow(row);
}

export async function currentRelease(db: Db, workspaceId: string): Promise<ReleaseRow | null> {
	const row = await db.release.findFirst({ where: { workspaceId, status: "made" }, orderBy: { number: "desc" }, select });
	return row && toRow(row);
}

/** Releases that a crash left between their row and `main`. */
export async function listPending(db: Db, workspaceId: string): Promise<ReleaseRow[]> {
	return (await db.release.findMany({ where: { workspaceId, status: "pending" }, orderBy: { number: "asc" }, select })).map(toRow);
}

/** One release of a workspace at a time, until the transaction ends. */
export async function lockReleases(tx: Db, workspaceId: string): Promise<void> {
	await tx.$executeRaw`select pg_advisory_xact_lock(hashtext(${`release:${workspaceId}`}))`;
}

export async function insertPending(db: Db, input: Omit<ReleaseRow, "status">): Promise<void> {
	const { gate, override, ...rest } = input;
	await db.release.create({
		data: { ...rest, status: "pending", gate: gate as Prisma.InputJsonValue, ...(override ? { override: override as unknown as Prisma.InputJsonValue } : {}) },
	});
}

/** False when it was made already. */
export async function markMade(db: Db, id: string): Promise<boolean> {
	return (await db.release.updateMany({ where: { id, status: "pending" }, data: { status: "made" } })).count > 0;
}

/** A pending release whose place was taken: nothing of it became visible. */
export async function deletePending(db: Db, id: string): Promise<void> {
	await db.release.deleteMany({ where: { id, status: "pending" } });
}

// ---- an admin's leave ----

export interface LeaveRow {
	roundId: string;
	baseCommit: string;
	userId: string;
	reason: string;
	createdAt: Date;
}

export async function findLeave(db: Db, roundId: string, baseCommit: string): Promise<LeaveRow | null> {
	return db.gateOverride.findUnique({
		where: { roundId_baseCommit: { roundId, baseCommit } },
		select: { roundId: true, baseCommit: true, userId: true, reason: true, createdAt: true },
	});
}

export async function insertLeave(
	db: Db,
	input: { workspaceId: string; roundId: string; baseCommit: string; gate: GateResult; userId: string; reason: string },
): Promise<void> {
	await db.gateOverride.createMany({ data: [{ id: newId("gov"), ...input, gate: input.gate as Prisma.InputJsonValue }], skipDuplicates: true });
}

// ---- holdout readings ----

export interface ReadingRow {
	id: string;
	index: number;
	runIds: string[];
	result: HoldoutCounts | null;
}

const readingSelect = { id: true, index: true, runIds: true, result: true } as const satisfies Prisma.HoldoutReadingSelect;

export async function findReading(db: Db, evolutionId: string, commit: string, baseCommit: string): Promise<ReadingRow | null> {
	const row = await db.holdoutReading.findFirst({ where: { evolutionId, commit, baseCommit }, orderBy: { index: "asc" }, select: readingSelect });
	return row && { ...row, result: HoldoutCountsSchema.nullable().parse(row.result) };
}

export async function countReadings(db: Db, evolutionId: string): Promise<number> {
	return db.holdoutReading.count({ where: { evolutionId } });
}

/** The unique (evolution, index) lets only one of two readings at once have a place; null for the other. */
export async function insertReading(
	db: Db,
	input: { workspaceId: string; evolutionId: string; index: number; commit: string; baseCommit: string; runIds: string[]; readById: string },
): Promise<ReadingRow | null> {
	const id = newId("hol");
	const { count } = await db.holdoutReading.createMany({ data: [{ id, ...input }], skipDuplicates: true });
	return count > 0 ? { id, index: input.index, runIds: input.runIds, result: null } : null;
}

export async function setReadingResult(db: Db, id: string, result: HoldoutCounts): Promise<void> {
	await db.holdoutReading.update({ where: { id }, data: { result: result as Prisma.InputJsonValue } });
}

/** The language that a workspace writes, for what is written in its name. */
export async function findLanguage(db: Db, workspaceId: string): Promise<string> {
	const row = await db.workspace.findUnique({ where: { id: workspaceId }, select: { language: true } });
	return row?.language ?? "en";
}
