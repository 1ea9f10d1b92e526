import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import { FindingStatusSchema } from "./contract";
import { FindingEvidenceSchema, type FindingRow } from "./rows";

type Db = DatabaseOrTransaction;

const findingSelect = {
	id: true,
	number: true,
	evolutionId: true,
	roundId: true,
	runId: true,
	taskId: true,
	category: true,
	failureType: true,
	component: true,
	title: true,
	hypothesis: true,
	confidence: true,
	engine: true,
	status: true,
	share: true,
	caseIds: true,
	episodeIds: true,
	evidence: true,
	note: true,
	decidedById: true,
	decidedAt: true,
	createdAt: true,
} as const satisfies Prisma.FindingSelect;

const toFinding = (row: Prisma.FindingGetPayload<{ select: typeof findingSelect }>): FindingRow => ({
	...row,
	status: FindingStatusSchema.parse(row.status),
	evidence: FindingEvidenceSchema.parse(row.evidence),
});

export async function findFinding(db: Db, workspaceId: string, id: string): Promise<FindingRow | null> {
	const row = await db.finding.findFirst({ where: { id, evolution: { workspaceId } }, select: findingSelect });
	return row && toFinding(row);
}

/** Where the finding of a number is; null when there is none. */
export async function findFindingByNumber(db: Db, workspaceId: string, number: number): Promise<{ id: string; evolutionId: string } | null> {
	return db.finding.findFirst({ where: { number, evolution: { workspaceId } }, select: { id: true, evolutionId: true } });
}

/** Largest share first. */
export async function listFindings(
	db: Db,
	where: { evolutionId?: string; roundId?: string; ids?: readonly string[]; status?: FindingRow["status"][] },
): Promise<FindingRow[]> {
	const rows = await db.finding.findMany({
		where: { evolutionId: where.evolutionId, roundId: where.roundId, id: where.ids && { in: [...where.ids] }, status: where.status && { in: where.status } },
		orderBy: [{ share: "desc" }, { number: "asc" }],
		select: findingSelect,
	});
	return rows.map(toFinding);
}

export async function insertFinding(
	db: Db,
	input: Omit<FindingRow, "id" | "status" | "note" | "decidedById" | "decidedAt" | "createdAt"> & { taskId: string },
): Promise<void> {
	await db.finding.create({ data: { id: newId("fnd"), status: "proposed", ...input, evidence: input.evidence as Prisma.InputJsonValue } });
}

export async function updateFinding(
	db: Db,
	id: string,
	data: Partial<Pick<FindingRow, "status" | "title" | "hypothesis" | "component" | "note" | "decidedById" | "decidedAt" | "evidence">>,
): Promise<void> {
	await db.finding.update({ where: { id }, data: data as Prisma.FindingUpdateInput });
}

/** The finding that was opened once for an origin; null when there is none. */
export async function findFindingOfTask(db: Db, taskId: string): Promise<{ id: string; number: number } | null> {
	return db.finding.findFirst({ where: { taskId }, select: { id: true, number: true } });
}

/** A new diagnosis takes the place of what nobody had decided of the last ones; what no engine of the loop wrote stays. */
export async function supersedeUndecided(db: Db, evolutionId: string): Promise<void> {
	const undecided = { evolutionId, status: "proposed", NOT: { engine: { startsWith: "trigger:" } } };
	await db.finding.updateMany({ where: undecided, data: { status: "superseded" } });
}

/** A landed proposal addressed them. */
export async function markAddressed(db: Db, ids: readonly string[]): Promise<void> {
	await db.finding.updateMany({ where: { id: { in: [...ids] }, status: { in: ["accepted", "modified"] } }, data: { status: "addressed" } });
}

export async function countFindings(db: Db, evolutionId: string, status: FindingRow["status"][]): Promise<number> {
	return db.finding.count({ where: { evolutionId, status: { in: status } } });
}
