import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type Delivery, DeliverySchema } from "./contract";

type Db = DatabaseOrTransaction;

const select = {
	id: true,
	firingId: true,
	workspaceId: true,
	url: true,
	allowPrivate: true,
	sealedSecret: true,
	body: true,
	status: true,
	attempts: true,
	answered: true,
	error: true,
	nextAt: true,
} as const satisfies Prisma.WebhookDeliverySelect;

export interface DeliveryRow extends Delivery {
	firingId: string;
	workspaceId: string;
	url: string;
	allowPrivate: boolean;
	sealedSecret: string | null;
	body: string;
}

const toRow = (row: Prisma.WebhookDeliveryGetPayload<{ select: typeof select }>): DeliveryRow => ({ ...row, ...DeliverySchema.parse(row) });

/** The delivery of a firing; made once. */
export async function ensureDelivery(
	db: Db,
	row: Pick<DeliveryRow, "firingId" | "workspaceId" | "url" | "allowPrivate" | "sealedSecret" | "body">,
): Promise<string> {
	await db.webhookDelivery.createMany({ data: [{ ...row, id: newId("hook"), status: "queued" }], skipDuplicates: true });
	return (await db.webhookDelivery.findUniqueOrThrow({ where: { firingId: row.firingId }, select: { id: true } })).id;
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | null> {
	const row = await db.webhookDelivery.findUnique({ where: { id }, select });
	return row && toRow(row);
}

/** Deliveries of firings, by firing. */
export async function findDeliveries(db: Db, firingIds: readonly string[]): Promise<Map<string, Delivery>> {
	const rows = await db.webhookDelivery.findMany({ where: { firingId: { in: [...firingIds] } }, select });
	return new Map(rows.map((row) => [row.firingId, DeliverySchema.parse(row)]));
}

/** Notes what an attempt came to. What is over keeps no secret. */
export async function noteAttempt(db: Db, id: string, after: Pick<Delivery, "status" | "answered" | "error" | "nextAt" | "attempts">, at: Date): Promise<void> {
	const over = after.status === "queued" ? {} : { finishedAt: at, sealedSecret: null };
	const { error, ...rest } = after;
	await db.webhookDelivery.updateMany({ where: { id, status: "queued" }, data: { ...rest, ...over, ...(error ? { error } : {}) } });
}
