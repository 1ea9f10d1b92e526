import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type GatePolicy, GatePolicySchema } from "./contract";

type Db = DatabaseOrTransaction;

export interface GatePolicyRow {
	/** 0: the defaults, before an admin set any. */
	version: number;
	content: GatePolicy;
	reason: string;
	createdById: string | null;
	createdAt: Date | null;
}

const select = { version: true, content: true, reason: true, createdById: true, createdAt: true } as const satisfies Prisma.GatePolicySelect;
const toRow = (row: Prisma.GatePolicyGetPayload<{ select: typeof select }>): GatePolicyRow => ({ ...row, content: GatePolicySchema.parse(row.content) });

/** Newest first; empty while the defaults are in force. */
export async function listGatePolicies(db: Db, workspaceId: string): Promise<GatePolicyRow[]> {
	return (await db.gatePolicy.findMany({ where: { workspaceId }, orderBy: { version: "desc" }, select })).map(toRow);
}

/** The policy in force. */
export async function currentGatePolicy(db: Db, workspaceId: string): Promise<GatePolicyRow> {
	const row = await db.gatePolicy.findFirst({ where: { workspaceId }, orderBy: { version: "desc" }, select });
	return row ? toRow(row) : { version: 0, content: GatePolicySchema.parse({}), reason: "", createdById: null, createdAt: null };
}

/** The unique key (workspace, version) refuses the second of two admins who write at once. */
export async function insertGatePolicy(
	db: Db,
	workspaceId: string,
	input: { version: number; content: GatePolicy; reason: string; createdById: string },
): Promise<void> {
	await db.gatePolicy.create({ data: { id: newId("gpo"), workspaceId, ...input, content: input.content as Prisma.InputJsonValue } });
}

export interface AlarmRow {
	runId: string;
	baseRunId: string;
	category: string;
	userId: string;
	reason: string;
	createdAt: Date;
}

export async function listAcknowledgements(db: Db, workspaceId: string, runIds: readonly string[]): Promise<AlarmRow[]> {
	return db.alarmAcknowledgement.findMany({
		where: { workspaceId, runId: { in: [...runIds] } },
		select: { runId: true, baseRunId: true, category: true, userId: true, reason: true, createdAt: true },
	});
}

/** Returns false when it was acknowledged already: the first reason stands. */
export async function insertAcknowledgement(db: Db, workspaceId: string, input: Omit<AlarmRow, "createdAt">): Promise<boolean> {
	const { count } = await db.alarmAcknowledgement.createMany({ data: [{ id: newId("ack"), workspaceId, ...input }], skipDuplicates: true });
	return count > 0;
}
