import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type Envelope, EnvelopeSchema } from "./contract";

export interface EnvelopeVersion {
	/** 0: the default, before anybody set one. */
	version: number;
	content: Envelope;
	reason: string;
	createdById: string | null;
	createdAt: Date | null;
}

const select = { version: true, content: true, reason: true, createdById: true, createdAt: true } as const satisfies Prisma.AugmentationEnvelopeSelect;

/** Newest first; empty while the default is in force. */
export async function listEnvelopes(db: DatabaseOrTransaction, workspaceId: string): Promise<EnvelopeVersion[]> {
	const rows = await db.augmentationEnvelope.findMany({ where: { workspaceId }, orderBy: { version: "desc" }, select });
	return rows.map((row) => ({ ...row, content: EnvelopeSchema.parse(row.content) }));
}

/** The unique key (workspace, version) refuses the second of two people who write at once. */
export async function insertEnvelope(
	db: DatabaseOrTransaction,
	workspaceId: string,
	input: { version: number; content: Envelope; reason: string; createdById: string },
): Promise<void> {
	await db.augmentationEnvelope.create({ data: { id: newId("env"), workspaceId, ...input, content: input.content as Prisma.InputJsonValue } });
}
