import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { nextNumber } from "@/server/workspace";
import {
	type DataCard,
	type Training,
	type TrainingProgress,
	type TrainingRecord,
	TrainingRecordSchema,
	TrainingSchema,
	type TrainingStatus,
} from "./contract";

const columns = {
	id: true,
	number: true,
	workspaceId: true,
	recipe: true,
	seed: true,
	options: true,
	status: true,
	source: true,
	progress: true,
	card: true,
	error: true,
	checkpointId: true,
	policyVersionId: true,
	requestedById: true,
	createdAt: true,
	startedAt: true,
	finishedAt: true,
} satisfies Prisma.TrainingSelect;

class Taken extends Error {}
/** Two starts at once wait for each other; a busy machine takes its time. */
const LOCK_MS = { timeout: 30_000, maxWait: 30_000 };

/** Queues a training; null when the workspace has one that is not over. */
export async function insertTraining(
	db: Database,
	row: Pick<Training, "workspaceId" | "recipe" | "seed" | "source" | "options" | "requestedById"> & { settings: unknown },
): Promise<string | null> {
	const id = newId("train");
	try {
		await db.$transaction(async (tx) => {
			const number = await nextNumber(tx, row.workspaceId, "training");
			const data = { ...row, id, number, activeKey: row.workspaceId, status: "queued", settings: row.settings as Prisma.InputJsonValue };
			// Without a row nothing is kept, the number neither.
			if ((await tx.training.createMany({ data: [data], skipDuplicates: true })).count === 0) throw new Taken();
		}, LOCK_MS);
	} catch (error) {
		if (error instanceof Taken) return null;
		throw error;
	}
	return id;
}

export async function findTraining(db: Database, id: string): Promise<Training | null> {
	const row = await db.training.findUnique({ where: { id }, select: columns });
	return row && TrainingSchema.parse(row);
}

export async function listTrainings(db: Database, workspaceId: string): Promise<Training[]> {
	const rows = await db.training.findMany({ where: { workspaceId }, select: columns, orderBy: { createdAt: "desc" }, take: 100 });
	return rows.map((row) => TrainingSchema.parse(row));
}

/** Numbers of the trainings that made a policy version. */
export async function listTrainingsOfPolicy(db: Database, workspaceId: string, policyVersionId: string): Promise<number[]> {
	const rows = await db.training.findMany({ where: { workspaceId, policyVersionId }, select: { number: true }, orderBy: { number: "asc" } });
	return rows.map(({ number }) => number);
}

/** Deletes a checkpoint's file unless a training made it too. */
export async function deleteCheckpointRow(db: DatabaseOrTransaction, workspaceId: string, id: string): Promise<void> {
	if ((await db.training.count({ where: { workspaceId, checkpointId: id } })) === 0) await db.checkpoint.deleteMany({ where: { id, workspaceId } });
}

/** What only the worker needs: settings as they were, and the saved state. */
export async function findTrainingWork(db: Database, id: string): Promise<{ settings: unknown; state: Uint8Array | null } | null> {
	return db.training.findUnique({ where: { id }, select: { settings: true, state: true } });
}

/** Moves a training on unless it is over; returns whether it did. What is not done keeps its state, to be gone on with. */
export async function moveTraining(
	db: Database,
	id: string,
	to: Exclude<TrainingStatus, "queued">,
	data: { card?: DataCard; error?: { reason: string; message: string }; checkpointId?: string; policyVersionId?: string } = {},
): Promise<boolean> {
	const over = to === "running" ? {} : { activeKey: null, finishedAt: new Date(), ...(to === "done" ? { state: null } : {}) };
	const { count } = await db.training.updateMany({ where: { id, status: { in: ["queued", "running"] } }, data: { ...data, ...over, status: to } });
	return count === 1;
}

/** Says when a training began, once. */
export async function markStarted(db: Database, id: string, startedAt: Date): Promise<void> {
	await db.training.updateMany({ where: { id, startedAt: null }, data: { startedAt } });
}

/** Queues one that was stopped or failed again; false when it cannot be, or the workspace has another that is not over. */
export async function requeueTraining(db: Database, { id, workspaceId }: Pick<Training, "id" | "workspaceId">): Promise<boolean> {
	return db.training
		.updateMany({
			where: { id, status: { in: ["cancelled", "failed"] } },
			data: { status: "queued", activeKey: workspaceId, error: Prisma.DbNull, finishedAt: null },
		})
		.then(({ count }) => count === 1)
		.catch((error: unknown) => {
			if (error instanceof Error && "code" in error && error.code === "P2002") return false;
			throw error;
		});
}

/** Notes how far it is; returns whether it is still to go on. */
export async function noteProgress(db: Database, id: string, progress: TrainingProgress): Promise<boolean> {
	return (await db.training.updateMany({ where: { id, status: "running" }, data: { progress } })).count === 1;
}

export async function saveTrainingState(db: Database, id: string, state: Uint8Array<ArrayBuffer>): Promise<void> {
	await db.training.updateMany({ where: { id, status: "running" }, data: { state } });
}

/** Writes points from a position on; points that a killed process wrote there are replaced. */
export async function writePoints(db: Database, trainingId: string, from: number, records: readonly TrainingRecord[]): Promise<void> {
	const data = records.map((record, i) => ({ trainingId, position: from + i, record: record as Prisma.InputJsonValue }));
	await db.$transaction([db.trainingPoint.deleteMany({ where: { trainingId, position: { gte: from } } }), db.trainingPoint.createMany({ data })]);
}

/** Points from a position on, in order. */
export async function listPoints(db: Database, trainingId: string, from = 0): Promise<TrainingRecord[]> {
	const rows = await db.trainingPoint.findMany({ where: { trainingId, position: { gte: from } }, select: { record: true }, orderBy: { position: "asc" } });
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
