import type { Database } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { type Step, type Try, type TryInput, TrySchema, type TryStatus, TryStatusSchema, type TrySummary, TrySummarySchema } from "./contract";

const columns = {
	id: true,
	source: true,
	treeId: true,
	policyName: true,
	input: true,
	status: true,
	steps: true,
	trajectory: true,
	error: true,
	createdAt: true,
	finishedAt: true,
} satisfies Prisma.TryRunSelect;

export interface NewTry {
	id: string;
	workspaceId: string;
	userId: string;
	source: string;
	treeId: string;
	policyVersionId: string;
	policyName: string;
	bundleId: string | null;
	input: TryInput;
}

export async function insertTry(db: Database, row: NewTry): Promise<void> {
	await db.tryRun.create({ data: { ...row, input: row.input as unknown as Prisma.InputJsonValue, status: "queued" }, select: { id: true } });
}

/** A person's own try; null when there is none of this id. */
export async function findTry(db: Database, key: { id: string; workspaceId: string; userId: string }): Promise<Try | null> {
	const row = await db.tryRun.findFirst({ where: key, select: columns });
	return row ? TrySchema.parse(row) : null;
}

/** What a worker needs of a try. */
export async function findTryTask(db: Database, id: string) {
	const row = await db.tryRun.findUnique({
		where: { id },
		select: { id: true, workspaceId: true, treeId: true, policyVersionId: true, bundleId: true, input: true, status: true },
	});
	return row ? { ...row, status: TryStatusSchema.parse(row.status), input: TrySchema.shape.input.parse(row.input) } : null;
}

/** Moves a try on; false when it is in none of the states that allow it. */
export async function moveTry(
	db: Database,
	id: string,
	from: TryStatus[],
	to: TryStatus,
	data: { steps?: Step[]; trajectory?: unknown; error?: unknown; finishedAt?: Date } = {},
): Promise<boolean> {
	const json = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Prisma.TryRunUpdateManyMutationInput;
	const { count } = await db.tryRun.updateMany({ where: { id, status: { in: from } }, data: { ...json, status: to } });
	return count > 0;
}

export async function saveTrySteps(db: Database, id: string, steps: Step[]): Promise<void> {
	await db.tryRun.updateMany({ where: { id, status: { in: ["running", "cancelling"] } }, data: { steps: steps as unknown as Prisma.InputJsonValue } });
}

/** A person's latest tries, of one source or all. Only the list's own fields are read from the trajectory. */
export async function listTries(db: Database, key: { workspaceId: string; userId: string; source?: string }, take: number): Promise<TrySummary[]> {
	const bySource = key.source === undefined ? Prisma.empty : Prisma.sql`and "source" = ${key.source}`;
	const rows = await db.$queryRaw<unknown[]>`
		select "id", "source", "treeId", "policyName", "status", "createdAt", "finishedAt",
			"input"->>'message' as "message",
			"trajectory"->>'outcome' as "outcome",
			"trajectory"->>'reply' as "reply",
			("trajectory"->>'durationMs')::float8 as "durationMs"
		from "TryRun"
		where "workspaceId" = ${key.workspaceId} and "userId" = ${key.userId} ${bySource}
		order by "createdAt" desc, "id" desc limit ${take}`;
	return rows.map((row) => TrySummarySchema.parse(row));
}

/** Forgets the oldest tries of a person beyond `keep`. */
export async function pruneTries(db: Database, key: { workspaceId: string; userId: string }, keep: number): Promise<void> {
	const old = await db.tryRun.findMany({ where: key, orderBy: { createdAt: "desc" }, skip: keep, select: { id: true } });
	if (old.length > 0) await db.tryRun.deleteMany({ where: { id: { in: old.map((row) => row.id) } } });
}
