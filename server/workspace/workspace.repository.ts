import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import type { Actor, StudioEvent } from "./contract";

export interface AuditInput {
	workspaceId: string | null;
	actor: Actor;
	/** e.g. `proposal.land`, `endpoint.update` */
	action: string;
	/** What it was done to, with its version: `proposal #41 r2`. */
	subject: string;
	reason?: string;
	detail?: Record<string, unknown>;
}

/** Appends to the audit log, in the caller's transaction. The log can't be changed afterwards. */
export async function recordAudit(db: DatabaseOrTransaction, input: AuditInput): Promise<void> {
	await db.auditEntry.create({
		data: {
			id: newId("aud"),
			workspaceId: input.workspaceId,
			actorId: input.actor.id,
			actorName: input.actor.name,
			action: input.action,
			subject: input.subject,
			reason: input.reason ?? null,
			detail: (input.detail ?? {}) as Prisma.InputJsonValue,
		},
	});
}

/** The next human-facing number of a kind (`run`, `finding`, `proposal`, …) in a workspace: 1, 2, 3, without gaps unless a transaction rolls back. */
export async function nextNumber(db: DatabaseOrTransaction, workspaceId: string, kind: string): Promise<number> {
	const counter = await db.counter.upsert({
		where: { workspaceId_kind: { workspaceId, kind } },
		create: { workspaceId, kind, value: 1 },
		update: { value: { increment: 1 } },
		select: { value: true },
	});
	return counter.value;
}

/** Writes an event in the caller's transaction; the worker delivers it after the commit, at least once. */
export async function emitEvent(db: DatabaseOrTransaction, workspaceId: string, event: StudioEvent): Promise<void> {
	const { type, ...payload } = event;
	await db.outboxEvent.create({ data: { workspaceId, type, payload: payload as Prisma.InputJsonValue } });
}
