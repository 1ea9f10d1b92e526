import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type Draft, DraftSchema, type FileChanges, type HarnessFiles, HarnessFilesSchema, type HarnessKind, type WorkbenchKey } from "./contract";

export interface RepositoryRow {
	id: string;
	workspaceId: string;
	kind: string;
	folder: string;
	remoteUrl: string | null;
}

const repositoryFields = { id: true, workspaceId: true, kind: true, folder: true, remoteUrl: true } as const;

export async function findRepository(db: DatabaseOrTransaction, workspaceId: string, kind: HarnessKind): Promise<RepositoryRow | null> {
	return db.harnessRepository.findUnique({ where: { workspaceId_kind: { workspaceId, kind } }, select: repositoryFields });
}

/** Folders of the repositories of one workspace, or of all. */
export async function listFolders(db: DatabaseOrTransaction, workspaceId?: string): Promise<string[]> {
	const where = workspaceId === undefined ? {} : { workspaceId };
	return (await db.harnessRepository.findMany({ where, select: { folder: true } })).map(({ folder }) => folder);
}

/** Makes the row, or returns the one that is there. */
export async function ensureRepository(db: DatabaseOrTransaction, workspaceId: string, kind: HarnessKind): Promise<RepositoryRow> {
	return db.harnessRepository.upsert({
		where: { workspaceId_kind: { workspaceId, kind } },
		create: { id: newId("repo"), workspaceId, kind, folder: newId("harness") },
		update: {},
		select: repositoryFields,
	});
}

export async function setRemote(db: DatabaseOrTransaction, workspaceId: string, kind: HarnessKind, remoteUrl: string | null): Promise<void> {
	await db.harnessRepository.update({ where: { workspaceId_kind: { workspaceId, kind } }, data: { remoteUrl } });
}

/** Keeps the files of a tree for workers; a tree that is there stays as it is. */
export async function saveSnapshot(db: DatabaseOrTransaction, treeId: string, files: HarnessFiles): Promise<void> {
	await db.harnessSnapshot.createMany({ data: [{ treeId, files }], skipDuplicates: true });
}

export async function loadSnapshot(db: DatabaseOrTransaction, treeId: string): Promise<HarnessFiles | null> {
	const row = await db.harnessSnapshot.findUnique({ where: { treeId }, select: { files: true } });
	return row ? HarnessFilesSchema.parse(row.files) : null;
}

// ---- drafts ----

const draftFields = { id: true, kind: true, branch: true, baseCommit: true, changes: true, version: true, proposalId: true, updatedAt: true } as const;

export async function findDraft(db: DatabaseOrTransaction, key: WorkbenchKey): Promise<Draft | null> {
	const row = await db.harnessDraft.findFirst({ where: { ...key, discardedAt: null }, orderBy: { createdAt: "desc" }, select: draftFields });
	return row ? DraftSchema.parse(row) : null;
}

/** A person's open drafts of a workspace, newest first. */
export async function listDrafts(db: DatabaseOrTransaction, workspaceId: string, userId: string): Promise<Draft[]> {
	const rows = await db.harnessDraft.findMany({
		where: { workspaceId, userId, discardedAt: null },
		orderBy: { updatedAt: "desc" },
		take: 50,
		select: draftFields,
	});
	return rows.map((row) => DraftSchema.parse(row));
}

/**
 * Makes those who would make a draft of this key take turns until the transaction ends: a draft that is not there yet has
 * no row whose version could say that someone was first.
 */
export async function lockDrafts(tx: DatabaseOrTransaction, { workspaceId, userId, kind, branch }: WorkbenchKey): Promise<void> {
	const key = JSON.stringify([workspaceId, userId, kind, branch]);
	await tx.$executeRaw`select pg_advisory_xact_lock(hashtext(${`draft:${key}`}))`;
}

/** Call `lockDrafts` first: a person has one draft on a branch. */
export async function createDraft(
	db: DatabaseOrTransaction,
	key: WorkbenchKey,
	values: { baseCommit: string; changes: FileChanges; proposalId?: string | null },
): Promise<Draft> {
	const row = await db.harnessDraft.create({
		data: {
			id: newId("draft"),
			...key,
			baseCommit: values.baseCommit,
			changes: values.changes as Prisma.InputJsonValue,
			proposalId: values.proposalId ?? null,
		},
		select: draftFields,
	});
	return DraftSchema.parse(row);
}

/** Writes a draft whose version is still `version`; null when someone (another tab) was first. */
export async function updateDraft(
	db: DatabaseOrTransaction,
	id: string,
	version: number,
	values: { baseCommit?: string; changes?: FileChanges; discardedAt?: Date | null },
): Promise<Draft | null> {
	const [row] = await db.harnessDraft.updateManyAndReturn({
		where: { id, version },
		data: {
			version: { increment: 1 },
			...(values.baseCommit === undefined ? {} : { baseCommit: values.baseCommit }),
			...(values.changes === undefined ? {} : { changes: values.changes as Prisma.InputJsonValue }),
			...(values.discardedAt === undefined ? {} : { discardedAt: values.discardedAt }),
		},
		select: draftFields,
	});
	return row ? DraftSchema.parse(row) : null;
}

/** A draft that its owner discarded; null when there is none such. */
export async function findDiscarded(db: DatabaseOrTransaction, id: string, workspaceId: string, userId: string): Promise<(Draft & WorkbenchKey) | null> {
	const row = await db.harnessDraft.findFirst({
		where: { id, workspaceId, userId, discardedAt: { not: null } },
		select: { ...draftFields, workspaceId: true, userId: true },
	});
	return row ? { ...DraftSchema.parse(row), workspaceId: row.workspaceId, userId: row.userId } : null;
}
