import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { ADVICE_RULE } from "../advice-rule.contract";
import { type Advice, type AdviceRule, AdviceRuleSchema, AdviceSchema, type Training, TrainingStatusSchema } from "../contract";

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

export interface AdviceRuleRow {
	/** 0: the defaults, before an admin set any. */
	version: number;
	content: AdviceRule;
	reason: string;
	createdById: string | null;
	createdAt: Date | null;
}

/** The thresholds in force. */
export async function currentAdviceRule(db: DatabaseOrTransaction, workspaceId: string): Promise<AdviceRuleRow> {
	const select = { version: true, content: true, reason: true, createdById: true, createdAt: true } as const;
	const row = await db.adviceRule.findFirst({ where: { workspaceId }, orderBy: { version: "desc" }, select });
	return row ? { ...row, content: AdviceRuleSchema.parse(row.content) } : { version: 0, content: ADVICE_RULE, reason: "", createdById: null, createdAt: null };
}

/** The unique key (workspace, version) refuses the second of two admins who write at once. */
export async function insertAdviceRule(
	db: DatabaseOrTransaction,
	workspaceId: string,
	input: { version: number; content: AdviceRule; reason: string; createdById: string },
): Promise<void> {
	await db.adviceRule.create({ data: { id: newId("adr"), workspaceId, ...input, content: { ...input.content } } });
}
