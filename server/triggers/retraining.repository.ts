import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type RetrainingProposal, RetrainingProposalSchema } from "./contract";

const select = {
	id: true,
	triggerId: true,
	triggerName: true,
	firingId: true,
	recipe: true,
	seed: true,
	options: true,
	event: true,
	eventAt: true,
	facts: true,
	status: true,
	note: true,
	decidedByName: true,
	decidedAt: true,
	trainingId: true,
	createdAt: true,
} as const satisfies Prisma.RetrainingProposalSelect;

function toProposal(row: Prisma.RetrainingProposalGetPayload<{ select: typeof select }>): RetrainingProposal {
	const { triggerId, triggerName, decidedByName, ...rest } = row;
	return RetrainingProposalSchema.parse({ ...rest, trigger: { id: triggerId, name: triggerName }, decidedBy: decidedByName });
}

type NewProposal = Pick<RetrainingProposal, "firingId" | "recipe" | "seed" | "options" | "event" | "eventAt" | "facts" | "trigger"> & { workspaceId: string };

/**
 * Makes a proposal unless the workspace has one that waits; returns the one that waits then. Safe to repeat for the same
 * firing.
 */
export async function ensureRetraining(db: DatabaseOrTransaction, { trigger, ...input }: NewProposal): Promise<{ id: string; already: boolean }> {
	for (;;) {
		const data = { ...input, id: newId("retrain"), triggerId: trigger.id, triggerName: trigger.name, status: "pending", pendingKey: input.workspaceId };
		const made = await db.retrainingProposal.createMany({ data: [data], skipDuplicates: true });
		if (made.count === 1) return { id: data.id, already: false };
		const own = await db.retrainingProposal.findUnique({ where: { firingId: input.firingId }, select: { id: true } });
		if (own) return { id: own.id, already: false };
		const waiting = await db.retrainingProposal.findUnique({ where: { pendingKey: input.workspaceId }, select: { id: true } });
		if (waiting) return { id: waiting.id, already: true };
	}
}

/** Newest first; those that wait before all others. */
export async function listRetrainings(db: DatabaseOrTransaction, workspaceId: string): Promise<RetrainingProposal[]> {
	const rows = await db.retrainingProposal.findMany({ where: { workspaceId }, select, orderBy: [{ createdAt: "desc" }], take: 100 });
	const proposals = rows.map(toProposal);
	return [...proposals.filter((one) => one.status === "pending"), ...proposals.filter((one) => one.status !== "pending")];
}

export async function findRetraining(db: DatabaseOrTransaction, workspaceId: string, id: string): Promise<RetrainingProposal | null> {
	const row = await db.retrainingProposal.findFirst({ where: { workspaceId, id }, select });
	return row && toProposal(row);
}

/** A confirmation whose training did not start by then died between the two. A number of ours. */
const LOST_AFTER_MS = 60_000;

/** Decides a proposal that waits, or a confirmed one whose training never started; says whether it did. */
export async function decideRetrainingRow(
	db: DatabaseOrTransaction,
	id: string,
	decision: { status: "confirmed" | "rejected"; note: string | null; byId: string; byName: string; at: Date },
): Promise<boolean> {
	const { status, note, byId, byName, at } = decision;
	const { count } = await db.retrainingProposal.updateMany({
		where: { id, OR: [{ status: "pending" }, { status: "confirmed", trainingId: null, decidedAt: { lt: new Date(at.getTime() - LOST_AFTER_MS) } }] },
		data: { status, note, decidedById: byId, decidedByName: byName, decidedAt: at, pendingKey: null },
	});
	return count === 1;
}

/** Takes a confirmation back whose training could not start: it waits again, unless another one waits by now. */
export async function reopenRetrainingRow(db: DatabaseOrTransaction, workspaceId: string, id: string): Promise<void> {
	const undecided = { status: "pending", note: null, decidedById: null, decidedByName: null, decidedAt: null };
	const other = await db.retrainingProposal.findUnique({ where: { pendingKey: workspaceId }, select: { id: true } });
	await db.retrainingProposal.updateMany({ where: { id, trainingId: null }, data: { ...undecided, pendingKey: other ? null : workspaceId } });
}

export async function setRetrainingTraining(db: DatabaseOrTransaction, id: string, trainingId: string): Promise<void> {
	await db.retrainingProposal.update({ where: { id }, data: { trainingId }, select: { id: true } });
}
