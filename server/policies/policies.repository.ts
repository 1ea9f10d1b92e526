import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type PolicyVersion, PolicyVersionSchema } from "./contract";

const select = { id: true, workspaceId: true, name: true, kind: true, endpointId: true, config: true, fingerprint: true, createdAt: true } as const;

export async function listPolicyRows(db: DatabaseOrTransaction, workspaceId: string): Promise<PolicyVersion[]> {
	const rows = await db.policyVersion.findMany({ where: { workspaceId }, select, orderBy: [{ createdAt: "desc" }, { name: "desc" }] });
	return rows.map((row) => PolicyVersionSchema.parse(row));
}

export async function findPolicyRow(db: DatabaseOrTransaction, id: string): Promise<PolicyVersion | null> {
	const row = await db.policyVersion.findUnique({ where: { id }, select });
	return row && PolicyVersionSchema.parse(row);
}

export async function deletePolicyRow(db: DatabaseOrTransaction, id: string): Promise<void> {
	await db.policyVersion.deleteMany({ where: { id } });
}

/** Inserts a version unless its name is taken; returns whether it did. */
export async function insertPolicyRow(db: DatabaseOrTransaction, version: Omit<PolicyVersion, "id" | "createdAt">): Promise<boolean> {
	const data = { id: newId("pol"), ...version, config: version.config as Prisma.InputJsonValue };
	return (await db.policyVersion.createMany({ data: [data], skipDuplicates: true })).count === 1;
}
