import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type DataCard, type Training, type TrainingRecord, TrainingRecordSchema, TrainingSchema, type TrainingStatus } from "./contract";

const columns = {
	id: true,
	workspaceId: true,
	recipe: true,
	seed: true,
	status: true,
	source: true,
	card: true,
	error: true,
	checkpointId: true,
	createdAt: true,
	finishedAt: true,
} satisfies Prisma.TrainingSelect;

/** Queues a training; null when the workspace has one that is not over. */
export async function insertTraining(
	db: Database,
	row: Pick<Training, "workspaceId" | "recipe" | "seed" | "source"> & { settings: unknown; requestedById: string },
): Promise<string | null> {
	const id = newId("train");
	const data = { ...row, id, activeKey: row.workspaceId, status: "queued", source: row.source, settings: row.settings as Prisma.InputJsonValue };
	return (await db.training.createMany({ data: [data], skipDuplicates: true })).count === 1 ? id : null;
}

export async function findTraining(db: Database, id: string): Promise<Training | null> {
	const row = await db.training.findUnique({ where: { id }, select: columns });
	return row && TrainingSchema.parse(row);
}

export async function listTrainings(db: Database, workspaceId: string): Promise<Training[]> {
	const rows = await db.training.findMany({ where: { workspaceId }, select: columns, orderBy: { createdAt: "desc" }, take: 100 });
	return rows.map((row) => TrainingSchema.parse(row));
}

/** What only the worker needs: settings as they were, and the saved state. */
export async function findTrainingWork(db: Database, id: string): Promise<{ settings: unknown; state: Uint8Array | null } | null> {
	return db.training.findUnique({ where: { id }, select: { settings: true, state: true } });
}

/** Moves a training on unless it is over; returns whether it did. */
export async function moveTraining(
	db: Database,
	id: string,
	to: TrainingStatus,
	data: { card?: DataCard; error?: { reason: string; message: string }; checkpointId?: string } = {},
): Promise<boolean> {
	const over = to === "done" || to === "failed" ? { activeKey: null, finishedAt: new Date(), state: null } : {};
	const { count } = await db.training.updateMany({ where: { id, status: { in: ["queued", "running"] } }, data: { ...data, ...over, status: to } });
	return count === 1;
}

export async function saveTrainingState(db: Database, id: string, state: Uint8Array<ArrayBuffer>): Promise<void> {
	await db.training.updateMany({ where: { id, status: "running" }, data: { state } });
}

/** Writes points from a position on; points that a killed process wrote there are replaced. */
export async function writePoints(db: Database, trainingId: string, from: number, records: readonly TrainingRecord[]): Promise<void> {
	const data = records.map((record, i) => ({ trainingId, position: from + i, record: record as Prisma.InputJsonValue }));
	await db.$transaction([db.trainingPoint.deleteMany({ where: { trainingId, position: { gte: from } } }), db.trainingPoint.createMany({ data })]);
}

export async function listPoints(db: Database, trainingId: string): Promise<TrainingRecord[]> {
	const rows = await db.trainingPoint.findMany({ where: { trainingId }, select: { record: true }, orderBy: { position: "asc" } });
	return rows.map((row) => TrainingRecordSchema.parse(row.record));
}

/** Keeps a checkpoint's bytes; the same weights are kept once. Returns its id. */
export async function ensureCheckpointRow(db: Database, row: { workspaceId: string; digest: string; bytes: Uint8Array<ArrayBuffer> }): Promise<string> {
	await db.checkpoint.createMany({ data: [{ id: newId("ckpt"), ...row }], skipDuplicates: true });
	const { workspaceId, digest } = row;
	return (await db.checkpoint.findUniqueOrThrow({ where: { workspaceId_digest: { workspaceId, digest } }, select: { id: true } })).id;
}

export async function findCheckpointBytes(db: Database, id: string): Promise<Uint8Array | null> {
	return (await db.checkpoint.findUnique({ where: { id }, select: { bytes: true } }))?.bytes ?? null;
}
