import type { DatabaseOrTransaction } from "@/server/db/client";
import { newId } from "@/server/kernel/id";
import { type JudgeVersion, JudgeVersionSchema } from "./contract";

const select = {
	id: true,
	workspaceId: true,
	name: true,
	commit: true,
	treeId: true,
	engine: true,
	endpointId: true,
	fingerprint: true,
	createdAt: true,
} as const;

/** All judge versions of a workspace, newest first. */
export async function listJudgeRows(db: DatabaseOrTransaction, workspaceId: string): Promise<JudgeVersion[]> {
	const rows = await db.judgeVersion.findMany({ where: { workspaceId }, select, orderBy: { createdAt: "desc" } });
	return rows.map((row) => JudgeVersionSchema.parse(row));
}

export async function findJudgeRow(db: DatabaseOrTransaction, id: string): Promise<JudgeVersion | null> {
	const row = await db.judgeVersion.findUnique({ where: { id }, select });
	return row && JudgeVersionSchema.parse(row);
}

/** Inserts a version unless its name or fingerprint is taken. */
export async function insertJudgeRow(db: DatabaseOrTransaction, version: Omit<JudgeVersion, "id" | "createdAt">): Promise<void> {
	await db.judgeVersion.createMany({ data: [{ id: newId("jdg"), ...version }], skipDuplicates: true });
}
