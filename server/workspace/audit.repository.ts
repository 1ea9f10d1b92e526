import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { type AuditEntryDto, AuditEntrySchema, type AuditFilter } from "./contract";

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

/** One page of the audit log of a workspace, newest first, with the number of all that match. */
export async function queryAudit(
	db: DatabaseOrTransaction,
	workspaceId: string,
	filter: AuditFilter,
	page: { page: number; pageSize: number },
): Promise<{ entries: AuditEntryDto[]; total: number }> {
	const where = whereOf(workspaceId, filter);
	const [rows, total] = await Promise.all([
		db.auditEntry.findMany({
			where,
			select: { id: true, at: true, actorId: true, actorName: true, action: true, subject: true, reason: true, detail: true },
			orderBy: [{ at: "desc" }, { id: "desc" }],
			skip: (page.page - 1) * page.pageSize,
			take: page.pageSize,
		}),
		db.auditEntry.count({ where }),
	]);
	return { entries: rows.map(toEntry), total };
}

/** The kinds of action that occur, for the filter. */
export async function listAuditActions(db: DatabaseOrTransaction, workspaceId: string): Promise<string[]> {
	const rows = await db.auditEntry.groupBy({ by: ["action"], where: { workspaceId }, orderBy: { action: "asc" } });
	return rows.map((row) => row.action);
}
