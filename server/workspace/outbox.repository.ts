import type { DatabaseOrTransaction } from "@/server/db/client";
import { type DeliveredEvent, StudioEventSchema } from "./contract";

/**
 * Takes the oldest undelivered event for the length of the transaction; other workers skip it. An event of a workspace
 * waits for the earlier ones of that workspace, also for one that another worker holds.
 */
export async function lockNextEvent(tx: DatabaseOrTransaction, skipIds: readonly string[]): Promise<DeliveredEvent | "unreadable" | null> {
	const rows = await tx.$queryRaw<{ id: bigint; workspaceId: string; type: string; payload: object; createdAt: Date }[]>`
		SELECT "id", "workspaceId", "type", "payload", "createdAt" FROM "OutboxEvent" e
		WHERE "deliveredAt" IS NULL AND NOT ("id" = ANY(${skipIds.map(BigInt)}::bigint[]))
			AND NOT EXISTS (SELECT 1 FROM "OutboxEvent" f WHERE f."workspaceId" = e."workspaceId" AND f."deliveredAt" IS NULL AND f."id" < e."id")
		ORDER BY "id" LIMIT 1 FOR UPDATE SKIP LOCKED`;
	const row = rows[0];
	if (!row) return null;
	const event = StudioEventSchema.safeParse({ type: row.type, ...row.payload });
	if (!event.success) {
		// Written by a newer or broken version: it must not hold up what follows.
		await markDelivered(tx, String(row.id));
		return "unreadable";
	}
	return { id: String(row.id), workspaceId: row.workspaceId, event: event.data, at: row.createdAt };
}

export async function markDelivered(tx: DatabaseOrTransaction, id: string): Promise<void> {
	await tx.outboxEvent.update({ where: { id: BigInt(id) }, data: { deliveredAt: new Date() }, select: { id: true } });
}
