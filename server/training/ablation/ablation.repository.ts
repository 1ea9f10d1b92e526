import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { nextNumber } from "@/server/workspace";
import { type Ablation, type AblationDocument, AblationSchema } from "../ablation.contract";

const listed = {
	id: true,
	number: true,
	workspaceId: true,
	origin: true,
	status: true,
	settings: true,
	done: true,
	total: true,
	error: true,
	requestedById: true,
	createdAt: true,
	finishedAt: true,
} satisfies Prisma.AblationSelect;

/** What a list shows: everything but the table. */
export type AblationRow = Omit<Ablation, "result">;

const asJson = (value: unknown) => value as Prisma.InputJsonValue;
/** Two starts at once wait for each other; a process that trains takes its time. */
const LOCK_MS = { timeout: 30_000, maxWait: 30_000 };
const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === "P2002";

/** Queues an ablation; null when the workspace has one that is not over. */
export async function insertAblation(
	db: Database,
	row: Pick<Ablation, "workspaceId" | "settings" | "requestedById" | "total">,
): Promise<{ id: string; number: number } | null> {
	const { workspaceId } = row;
	const id = newId("abl");
	return db
		.$transaction(async (tx) => {
			const number = await nextNumber(tx, workspaceId, "ablation");
			await tx.ablation.create({ data: { ...row, id, number, activeKey: workspaceId, origin: "page", status: "queued" } });
			return { id, number };
		}, LOCK_MS)
		.catch((error: unknown) => {
			if (isTaken(error)) return null;
			throw error;
		});
}

/** Keeps one that was made elsewhere. */
export async function insertFound(
	db: Database,
	row: Pick<Ablation, "workspaceId" | "settings" | "requestedById" | "origin"> & { result: AblationDocument },
): Promise<{ id: string; number: number }> {
	const id = newId("abl");
	return db.$transaction(async (tx) => {
		const number = await nextNumber(tx, row.workspaceId, "ablation");
		await tx.ablation.create({ data: { ...row, result: asJson(row.result), id, number, status: "done", finishedAt: new Date() } });
		return { id, number };
	}, LOCK_MS);
}

export async function findAblation(db: Database, id: string): Promise<Ablation | null> {
	const row = await db.ablation.findUnique({ where: { id }, select: { ...listed, result: true } });
	return row && AblationSchema.parse(row);
}

/** Newest first. */
export async function listAblations(db: Database, workspaceId: string): Promise<AblationRow[]> {
	const rows = await db.ablation.findMany({ where: { workspaceId }, select: listed, orderBy: { number: "desc" }, take: 50 });
	const schema = AblationSchema.omit({ result: true });
	return rows.map((row) => schema.parse(row));
}

/** Moves one on unless it is over; returns whether it did. What is over keeps no parts. */
export async function moveAblation(
	db: Database,
	id: string,
	to: "running" | "done" | "failed" | "cancelled",
	{ result, error }: { result?: AblationDocument; error?: { reason: string; message: string } } = {},
): Promise<boolean> {
	const over = to === "running" ? {} : { activeKey: null, finishedAt: new Date() };
	return db.$transaction(async (tx) => {
		const found = { ...(result ? { result: asJson(result) } : {}), ...(error ? { error } : {}) };
		const { count } = await tx.ablation.updateMany({ where: { id, status: { in: ["queued", "running"] } }, data: { status: to, ...over, ...found } });
		if (count === 1 && to !== "running") await tx.ablationPart.deleteMany({ where: { ablationId: id } });
		return count === 1;
	}, LOCK_MS);
}

/** Whether it is still to go on. */
export async function isRunning(db: Database, id: string): Promise<boolean> {
	return (await db.ablation.count({ where: { id, status: "running" } })) === 1;
}

/** Keeps a finished part of one that still runs, and counts it; a part is counted once. */
export async function keepPart(db: Database, ablationId: string, part: string, share: unknown): Promise<void> {
	await db.$transaction(async (tx) => {
		// Taken first, so that nobody ends it in between and leaves a part behind.
		const { count } = await tx.ablation.updateMany({ where: { id: ablationId, status: "running" }, data: { status: "running" } });
		if (count === 0) return;
		await tx.ablationPart.createMany({ data: [{ ablationId, part, share: asJson(share) }], skipDuplicates: true });
		await tx.ablation.update({ where: { id: ablationId }, data: { done: await tx.ablationPart.count({ where: { ablationId } }) } });
	}, LOCK_MS);
}

export async function listParts(db: Database, ablationId: string): Promise<{ part: string; share: unknown }[]> {
	return db.ablationPart.findMany({ where: { ablationId }, select: { part: true, share: true } });
}
