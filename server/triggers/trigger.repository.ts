import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { emitEvent } from "@/server/workspace";
import { type Actor, SERVICE_ACTORS } from "@/server/workspace/contract";
import { BUILT_IN, type BuiltInKey, BuiltInKeySchema, type TriggerContent, TriggerContentSchema, type TriggerVersion, TriggerVersionSchema } from "./contract";

type Db = DatabaseOrTransaction;

const select = {
	id: true,
	workspaceId: true,
	key: true,
	name: true,
	enabled: true,
	version: true,
	content: true,
	sealedSecret: true,
	dueAt: true,
	updatedAt: true,
	updatedBy: true,
} as const satisfies Prisma.TriggerSelect;

function toRow(row: Prisma.TriggerGetPayload<{ select: typeof select }>) {
	return { ...row, key: row.key === null ? null : BuiltInKeySchema.parse(row.key), content: TriggerContentSchema.parse(row.content) };
}
export type TriggerRow = ReturnType<typeof toRow>;

/** Gives a workspace the two rules of the loop where it lacks them; those it has stay as people switched them. */
export async function ensureBuiltIns(db: Db, workspaceId: string): Promise<void> {
	const where = { workspaceId, key: { in: BuiltInKeySchema.options } };
	if ((await db.trigger.count({ where })) === BuiltInKeySchema.options.length) return;
	const contentOf = (key: BuiltInKey) => TriggerContentSchema.parse({ ...BUILT_IN[key], coolDownMinutes: 0, budgetPerDay: null });
	const data = BuiltInKeySchema.options.map((key) => ({ id: newId("trg"), workspaceId, key, name: key, content: contentOf(key) }));
	await db.trigger.createMany({ data, skipDuplicates: true });
	const first = (await db.trigger.findMany({ where: { ...where, version: 1 }, select })).map(toRow);
	const { id: byId, name: byName } = SERVICE_ACTORS.system;
	await db.triggerVersion.createMany({
		data: first.map(({ id: triggerId, name, enabled, content, version }) => ({ triggerId, version, name, enabled, content, byId, byName })),
		skipDuplicates: true,
	});
}

/** The rules of the loop first, then the oldest. */
export async function listTriggerRows(db: Db, workspaceId: string): Promise<TriggerRow[]> {
	const where = { workspaceId, deletedAt: null };
	const rows = (await db.trigger.findMany({ where, select, orderBy: [{ createdAt: "asc" }, { id: "asc" }] })).map(toRow);
	const order = (row: TriggerRow) => (row.key === null ? BuiltInKeySchema.options.length : BuiltInKeySchema.options.indexOf(row.key));
	return rows.sort((a, b) => order(a) - order(b));
}

export async function findTriggerRow(db: Db, workspaceId: string, id: string): Promise<TriggerRow | null> {
	const row = await db.trigger.findFirst({ where: { workspaceId, id, deletedAt: null }, select });
	return row && toRow(row);
}

type Change = Pick<TriggerRow, "name" | "enabled" | "content" | "sealedSecret" | "dueAt">;

export async function insertTrigger(db: Db, workspaceId: string, change: Change, by: Actor): Promise<string> {
	const id = newId("trg");
	await db.trigger.create({ data: { id, workspaceId, ...change, updatedBy: by.name }, select: { id: true } });
	return id;
}

/** Writes the next version if the trigger still has the one that the person saw; says whether it did. */
export async function changeTrigger(db: Db, id: string, seen: number, change: Partial<Change> & { deletedAt?: Date }, by: Actor): Promise<boolean> {
	const { count } = await db.trigger.updateMany({
		where: { id, version: seen, deletedAt: null },
		data: { ...change, version: { increment: 1 }, updatedBy: by.name },
	});
	return count === 1;
}

export async function insertVersion(
	db: Db,
	row: { triggerId: string; version: number; name: string; enabled: boolean; content: TriggerContent },
	by: Actor,
	reason: string | undefined,
): Promise<void> {
	await db.triggerVersion.create({ data: { ...row, byId: by.id, byName: by.name, reason: reason || null }, select: { version: true } });
}

/** Newest first. */
export async function listVersions(db: Db, triggerId: string): Promise<TriggerVersion[]> {
	const rows = await db.triggerVersion.findMany({
		where: { triggerId },
		select: { version: true, name: true, enabled: true, content: true, byName: true, reason: true, createdAt: true },
		orderBy: { version: "desc" },
		take: 100,
	});
	return rows.map((row) => TriggerVersionSchema.parse(row));
}

/** Schedules that are due. */
export async function listDue(db: Db, now: Date): Promise<TriggerRow[]> {
	const rows = await db.trigger.findMany({ where: { dueAt: { lte: now }, enabled: true, deletedAt: null }, select, take: 100 });
	return rows.map(toRow);
}

/** Moves a schedule on to its next time and writes the event of this one; one of several workers does. */
export async function moveDue(db: Db, { id, workspaceId, dueAt }: TriggerRow, next: Date | null): Promise<void> {
	const moved = await db.trigger.updateMany({ where: { id, dueAt }, data: { dueAt: next } });
	if (moved.count === 1 && dueAt && next) await emitEvent(db, workspaceId, { type: "trigger.due", triggerId: id, dueAt: dueAt.toISOString() });
}
