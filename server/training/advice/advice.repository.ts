import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type Advice, AdviceSchema, type Training, TrainingStatusSchema } from "../contract";

/** Keeps an advice; the same one is kept once. */
export async function keepAdvice(db: Database, row: { workspaceId: string; key: string; advice: Advice; at: Date }): Promise<void> {
	const { workspaceId, key, advice, at } = row;
	const data = { id: newId("adv"), workspaceId, key, state: advice.state, advice: advice as unknown as Prisma.InputJsonValue, createdAt: at };
	await db.retrainingAdvice.createMany({ data: [data], skipDuplicates: true });
}

/** Newest first. */
export async function listAdvice(db: Database, workspaceId: string, take: number): Promise<{ id: string; at: Date; advice: Advice }[]> {
	const rows = await db.retrainingAdvice.findMany({ where: { workspaceId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }], take });
	return rows.map((row) => ({ id: row.id, at: row.createdAt, advice: AdviceSchema.parse(row.advice) }));
}

/** Trainings of a workspace as the history needs them, oldest first. */
export async function listTrainingFacts(
	db: Database,
	workspaceId: string,
): Promise<Pick<Training, "id" | "number" | "status" | "policyVersionId" | "createdAt">[]> {
	const select = { id: true, number: true, status: true, policyVersionId: true, createdAt: true } as const;
	const rows = await db.training.findMany({ where: { workspaceId }, orderBy: { createdAt: "asc" }, select });
	return rows.map((row) => ({ ...row, status: TrainingStatusSchema.parse(row.status) }));
}

/** The training that made a policy version; the last one where several made the same weights. */
export async function findMaker(db: Database, workspaceId: string, policyVersionId: string): Promise<string | null> {
	const row = await db.training.findFirst({ where: { workspaceId, policyVersionId }, orderBy: { createdAt: "desc" }, select: { id: true } });
	return row?.id ?? null;
}
