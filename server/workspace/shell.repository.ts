import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Shell } from "./contract";

/** What a person may do about what waits. */
export interface Acts {
	edit: boolean;
	review: boolean;
	train: boolean;
}

const UNDER_WAY = ["queued", "running", "cancelling"];

/** The release in force: its tag, and the name of the round it came from. */
export async function findReleased(db: DatabaseOrTransaction, workspaceId: string): Promise<Shell["released"]> {
	const row = await db.release.findFirst({
		where: { workspaceId, status: "made" },
		orderBy: { number: "desc" },
		select: { id: true, tag: true, roundId: true },
	});
	if (!row) return null;
	const round = row.roundId ? await db.round.findUnique({ where: { id: row.roundId }, select: { index: true } }) : null;
	return { id: row.id, tag: row.tag, round: round ? (round.index === 0 ? "base" : `Evo.${round.index}`) : null };
}

/** Name of the newest judge version; null before the first run. */
export async function findJudgeName(db: DatabaseOrTransaction, workspaceId: string): Promise<string | null> {
	const row = await db.judgeVersion.findFirst({ where: { workspaceId }, orderBy: { createdAt: "desc" }, select: { name: true } });
	return row?.name ?? null;
}

/**
 * What waits for a person: findings to confirm (of the newest evolution, the one that their page opens) and own proposals to rework (who edits), proposals of others to review (who
 * reviews), retrainings that a trigger proposes (who trains), and the runs under way. Reads other domains' tables for counts only, so that the frame costs one round trip.
 */
export async function countWaiting(db: DatabaseOrTransaction, workspaceId: string, userId: string, can: Acts): Promise<Shell["counts"]> {
	const [findings, toReview, toRework, trainings, runs] = await Promise.all([
		can.edit
			? db.$queryRaw<{ count: bigint }[]>`
				SELECT count(*) FROM "Finding" f JOIN (
					SELECT "id", "status" FROM "Evolution" WHERE "workspaceId" = ${workspaceId} ORDER BY "number" DESC LIMIT 1
				) e ON e."id" = f."evolutionId"
				WHERE e."status" <> 'closed' AND f."status" = 'proposed'`.then((rows) => Number(rows[0]?.count ?? 0))
			: 0,
		can.review ? db.proposal.count({ where: { workspaceId, status: "in-review", NOT: { authorIds: { has: userId } } } }) : 0,
		can.edit ? db.proposal.count({ where: { workspaceId, status: { in: ["changes-requested", "conflict"] }, authorIds: { has: userId } } }) : 0,
		can.train ? db.retrainingProposal.count({ where: { workspaceId, status: "pending" } }) : 0,
		db.run.count({ where: { workspaceId, status: { in: UNDER_WAY } } }),
	]);
	return { findings, reviews: toReview + toRework, runs, trainings };
}
