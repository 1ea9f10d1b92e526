import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { type AuditEntryDto, AuditEntrySchema, type AuditFilter, type AuditReader, auditWords, hasAuditWords } from "./contract";

function whereOf(workspaceId: string, filter: AuditFilter): Prisma.AuditEntryWhereInput {
	const { actor, action, search, from, to } = filter;
	return {
		workspaceId,
		...(actor ? { OR: [{ actorId: actor }, { actorName: { contains: actor, mode: "insensitive" } }] } : {}),
		...(action ? { action: { startsWith: action } } : {}),
		...(from || to ? { at: { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) } } : {}),
		...(search ? { AND: [{ OR: [{ subject: { contains: search, mode: "insensitive" } }, { reason: { contains: search, mode: "insensitive" } }] }] } : {}),
	};
}

/** The phrases of a reason are kept with the detail; to readers they belong to the reason. */
function toEntry({ detail, ...row }: { detail: Prisma.JsonValue }): AuditEntryDto {
	const { phrases = {}, ...rest } = detail as Record<string, unknown>;
	return AuditEntrySchema.parse({ ...row, phrases, detail: rest });
}

const select = { id: true, at: true, actorId: true, actorName: true, action: true, subject: true, reason: true, detail: true } as const;
const orderBy = [{ at: "desc" }, { id: "desc" }] as const satisfies Prisma.AuditEntryOrderByWithRelationInput[];
const BATCH = 1_000;

/** All entries that match but for their words, newest first. */
async function* readEntries(db: DatabaseOrTransaction, where: Prisma.AuditEntryWhereInput): AsyncGenerator<AuditEntryDto> {
	let after: string | undefined;
	for (;;) {
		const rows = await db.auditEntry.findMany({ where, select, orderBy, take: BATCH, ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }) });
		for (const row of rows) yield toEntry(row);
		if (rows.length < BATCH) return;
		after = rows.at(-1)?.id;
	}
}

/**
 * One page of the audit log of a workspace, newest first, with the number of all that match. With a `reader`, person and words
 * are also looked for as the reader sees them, which no column holds: every entry that matches otherwise is read.
 */
export async function queryAudit(
	db: DatabaseOrTransaction,
	workspaceId: string,
	filter: AuditFilter,
	page: { page: number; pageSize: number },
	reader?: AuditReader,
): Promise<{ entries: AuditEntryDto[]; total: number }> {
	const skip = (page.page - 1) * page.pageSize;
	const { search, actor, ...rest } = filter;
	if (reader && (search || actor)) {
		const entries: AuditEntryDto[] = [];
		let total = 0;
		for await (const entry of readEntries(db, whereOf(workspaceId, rest))) {
			if (!hasAuditWords(entry, () => auditWords(reader, entry), { search, actor })) continue;
			if (total >= skip && entries.length < page.pageSize) entries.push(entry);
			total++;
		}
		return { entries, total };
	}
	const where = whereOf(workspaceId, filter);
	const [rows, total] = await Promise.all([db.auditEntry.findMany({ where, select, orderBy, skip, take: page.pageSize }), db.auditEntry.count({ where })]);
	return { entries: rows.map(toEntry), total };
}

/** The kinds of action that occur, for the filter. */
export async function listAuditActions(db: DatabaseOrTransaction, workspaceId: string): Promise<string[]> {
	const rows = await db.auditEntry.groupBy({ by: ["action"], where: { workspaceId }, orderBy: { action: "asc" } });
	return rows.map((row) => row.action);
}
