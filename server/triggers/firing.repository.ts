import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { type DeliveredEvent, StudioEventSchema } from "@/server/workspace/contract";
import {
	BuiltInKeySchema,
	type Decision,
	type Facts,
	FactsSchema,
	type Firing,
	type FiringFilter,
	type Outcome,
	type Subject,
	SubjectSchema,
	type Why,
} from "./contract";
import { DAY_MS } from "./decide-firing";

type Db = DatabaseOrTransaction;
const json = (value: unknown) => value as Prisma.InputJsonValue;

export interface NewFiring {
	workspaceId: string;
	triggerId: string;
	version: number;
	eventKey: string;
	outboxId: string;
	event: string;
	eventAt: Date;
	decision: Decision;
	why: Why;
	inputs: Facts;
	subject: Subject;
	chain: readonly string[];
	createdAt: Date;
}

export interface FiringRow {
	id: string;
	triggerId: string;
	outboxId: string;
	outcome: string;
	attempts: number;
	inputs: Facts;
	subject: Subject;
	chain: string[];
	createdAt: Date;
	eventAt: Date;
}

const rowSelect = {
	id: true,
	triggerId: true,
	outboxId: true,
	outcome: true,
	attempts: true,
	inputs: true,
	subject: true,
	chain: true,
	createdAt: true,
	eventAt: true,
} as const satisfies Prisma.TriggerFiringSelect;

const toRow = (row: Prisma.TriggerFiringGetPayload<{ select: typeof rowSelect }>): FiringRow => ({
	...row,
	inputs: FactsSchema.parse(row.inputs),
	subject: SubjectSchema.parse(row.subject),
});

export async function findFiring(db: Db, triggerId: string, eventKey: string): Promise<FiringRow | null> {
	const row = await db.triggerFiring.findUnique({ where: { triggerId_eventKey: { triggerId, eventKey } }, select: rowSelect });
	return row && toRow(row);
}

/** Logs a decision; one that fired waits for its action. */
export async function insertFiring(db: Db, { why, inputs, subject, chain, ...firing }: NewFiring): Promise<FiringRow> {
	const data = { ...firing, id: newId("fire"), why: json(why), inputs: json(inputs), subject: json(subject), chain: [...chain] };
	const outcome = firing.decision === "fired" ? "pending" : "none";
	return toRow(await db.triggerFiring.create({ data: { ...data, outcome }, select: rowSelect }));
}

/** The same event came again: one line of the log counts how often. */
export async function noteRepeat(db: Db, firing: Omit<NewFiring, "decision" | "why">): Promise<void> {
	const eventKey = `${firing.eventKey}#again`;
	const { triggerId } = firing;
	if (await findFiring(db, triggerId, eventKey)) {
		await db.triggerFiring.update({ where: { triggerId_eventKey: { triggerId, eventKey } }, data: { repeats: { increment: 1 } }, select: { id: true } });
		return;
	}
	await insertFiring(db, { ...firing, eventKey, decision: "duplicate", why: { kind: "duplicate" } });
}

export async function countAttempt(db: Db, id: string): Promise<void> {
	await db.triggerFiring.update({ where: { id }, data: { attempts: { increment: 1 } }, select: { id: true } });
}

export async function finishFiring(db: Db, id: string, outcome: "done" | "failed", result: Outcome, at: Date): Promise<void> {
	await db.triggerFiring.update({ where: { id }, data: { outcome, result: json(result), finishedAt: at }, select: { id: true } });
}

/** When a trigger fired: in the 24 hours before `now`, and last of all. */
export async function readFired(db: Db, triggerIds: readonly string[], now: Date): Promise<Map<string, { firedAt: Date[]; lastFiredAt: Date | null }>> {
	const where = { triggerId: { in: [...triggerIds] }, decision: "fired" };
	const [day, last] = await Promise.all([
		db.triggerFiring.findMany({ where: { ...where, createdAt: { gt: new Date(now.getTime() - DAY_MS) } }, select: { triggerId: true, createdAt: true } }),
		db.triggerFiring.groupBy({ by: ["triggerId"], where, _max: { createdAt: true } }),
	]);
	return new Map(
		triggerIds.map((id) => [
			id,
			{
				firedAt: day.filter((row) => row.triggerId === id).map((row) => row.createdAt),
				lastFiredAt: last.find((row) => row.triggerId === id)?._max.createdAt ?? null,
			},
		]),
	);
}

const logSelect = {
	id: true,
	version: true,
	event: true,
	eventAt: true,
	decision: true,
	why: true,
	inputs: true,
	subject: true,
	chain: true,
	outcome: true,
	result: true,
	repeats: true,
	createdAt: true,
	finishedAt: true,
	trigger: { select: { id: true, name: true, key: true } },
} as const satisfies Prisma.TriggerFiringSelect;

/** A page of the log, newest first. */
export async function listFirings(
	db: Db,
	workspaceId: string,
	filter: FiringFilter,
	page: { page: number; pageSize: number },
): Promise<{ rows: Omit<Firing, "delivery">[]; total: number }> {
	const { triggerId, decision, event } = filter;
	const where: Prisma.TriggerFiringWhereInput = { workspaceId, triggerId, decision, event };
	const [rows, total] = await Promise.all([
		db.triggerFiring.findMany({
			where,
			select: logSelect,
			orderBy: [{ createdAt: "desc" }, { id: "desc" }],
			skip: (page.page - 1) * page.pageSize,
			take: page.pageSize,
		}),
		db.triggerFiring.count({ where }),
	]);
	return {
		total,
		rows: rows.map(({ chain, trigger, ...row }) => {
			const key = trigger.key === null ? null : BuiltInKeySchema.parse(trigger.key);
			return { ...row, trigger: { ...trigger, key }, depth: chain.length } as unknown as Omit<Firing, "delivery">;
		}),
	};
}

// ---- causes ----

export async function recordEffects(db: Db, firingId: string, kind: "run", ids: readonly string[]): Promise<void> {
	await db.triggerEffect.createMany({ data: ids.map((subjectId) => ({ kind, subjectId, firingId })), skipDuplicates: true });
}

/** Triggers that led to what a run is, the first one first; empty where none did. */
export async function findChain(db: Db, runId: string): Promise<string[]> {
	const effect = await db.triggerEffect.findUnique({ where: { kind_subjectId: { kind: "run", subjectId: runId } }, select: { firingId: true } });
	if (!effect) return [];
	const firing = await db.triggerFiring.findUnique({ where: { id: effect.firingId }, select: { chain: true, triggerId: true } });
	return firing ? [...firing.chain, firing.triggerId] : [];
}

// ---- the workspace's own events ----

/** Events of a workspace from `from` to `to`, newest first, at most `take`. What another version wrote is left out. */
export async function listEvents(db: Db, workspaceId: string, types: readonly string[], from: Date, to: Date, take: number): Promise<DeliveredEvent[]> {
	const rows = await db.outboxEvent.findMany({
		where: { workspaceId, type: { in: [...types] }, createdAt: { gte: from, lte: to } },
		orderBy: { id: "desc" },
		take,
		select: { id: true, type: true, payload: true, createdAt: true },
	});
	return rows.flatMap(({ id, type, payload, createdAt }) => {
		const event = StudioEventSchema.safeParse({ type, ...(payload as object) });
		return event.success ? [{ id: String(id), workspaceId, event: event.data, at: createdAt }] : [];
	});
}

/** How often a trigger was called since a time. */
export async function countCalls(db: Db, workspaceId: string, triggerId: string, since: Date): Promise<number> {
	return db.outboxEvent.count({
		where: { workspaceId, type: "trigger.called", createdAt: { gte: since }, payload: { path: ["triggerId"], equals: triggerId } },
	});
}
