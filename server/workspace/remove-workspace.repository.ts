import { z } from "zod";
import type { DatabaseOrTransaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";

/* What a workspace has in every domain's tables: only here are rows named that other domains own, so that none stays behind. */

/** The audit log stays for ever. */
const KEPT = "AuditEntry";
/** Rows that name what is content-addressed: it goes when nobody names it any more. */
const TREES = Prisma.sql`
	select "treeId", "workspaceId" from "Run" union all select "treeId", "workspaceId" from "TryRun"
	union all select "treeId", "workspaceId" from "Release" union all select "treeId", "workspaceId" from "JudgeVersion"
	union all select r."treeId", e."workspaceId" from "Round" r join "Evolution" e on e.id = r."evolutionId"
	union all select r."treeId", p."workspaceId" from "Revision" r join "Proposal" p on p.id = r."proposalId"`;
const BUNDLES = Prisma.sql`
	select "bundleId", id as "workspaceId" from "Workspace" union all select "bundleId", "workspaceId" from "Run"
	union all select "bundleId", "workspaceId" from "TryRun"`;

const tableOf = (name: string) => Prisma.raw(`"${name}"`);

/** Tables whose rows name their workspace; those that belong to such a row go with it. Runs stand first: they hold on to their suites. */
async function ownTables(db: DatabaseOrTransaction): Promise<string[]> {
	const rows = await db.$queryRaw<{ name: string }[]>`
		select table_name::text as name from information_schema.columns
		where table_schema = current_schema() and column_name = 'workspaceId' and table_name <> ${KEPT}
		order by table_name <> 'Run', table_name`;
	return rows.map(({ name }) => name);
}

/** How many rows of each table name a workspace, and how many episodes its runs have; tables without one are left out. */
export async function countOwnRows(db: DatabaseOrTransaction, workspaceId: string): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const name of await ownTables(db)) {
		const [row] = await db.$queryRaw<{ n: number }[]>`select count(*)::int as n from ${tableOf(name)} where "workspaceId" = ${workspaceId}`;
		if (row && row.n > 0) counts[name] = row.n;
	}
	const [episodes] = await db.$queryRaw<{ n: number }[]>`
		select count(*)::int as n from "Episode" e join "Run" r on r.id = e."runId" where r."workspaceId" = ${workspaceId}`;
	if (episodes && episodes.n > 0) counts.Episode = episodes.n;
	return counts;
}

export interface UnderWay {
	kind: "run" | "training" | "ablation" | "task" | "try";
	id: string;
	/** As people see it: `R-12`; a task's or try's id. */
	name: string;
	status: string;
	/** Whose try it is; nothing else is a person's own. */
	userId: string | null;
}

/** What a worker computes for a workspace, or will. */
export async function listUnderWay(db: DatabaseOrTransaction, workspaceId: string): Promise<UnderWay[]> {
	return db.$queryRaw<UnderWay[]>`
		select kind, id, name, status, "userId" from (
			select 'run' as kind, id, 'R-' || number as name, status, "workspaceId", null as "userId" from "Run"
			union all select 'training', id, 'training ' || number, status, "workspaceId", null from "Training"
			union all select 'ablation', id, 'ablation ' || number, status, "workspaceId", null from "Ablation"
			union all select 'task', id, kind || ' ' || id, status, "workspaceId", null from "EvolutionTask"
			union all select 'try', id, 'try ' || id, status, "workspaceId", "userId" from "TryRun"
		) work where "workspaceId" = ${workspaceId} and status in ('queued', 'running', 'cancelling') order by kind, name`;
}

/**
 * Deletes every row of a workspace but its audit entries, and what it alone named of snapshots and bundles. Idempotent: rows
 * that somebody wrote meanwhile are taken by a second call.
 */
export async function deleteOwnRows(tx: DatabaseOrTransaction, workspaceId: string): Promise<void> {
	const trees = await tx.$queryRaw<
		{ id: string }[]
	>`select distinct "treeId" as id from (${TREES}) t where "workspaceId" = ${workspaceId} and "treeId" is not null`;
	const bundles = await tx.$queryRaw<
		{ id: string }[]
	>`select distinct "bundleId" as id from (${BUNDLES}) b where "workspaceId" = ${workspaceId} and "bundleId" is not null`;
	// These name a row of the workspace without a foreign key.
	await tx.$executeRaw`delete from "TrainingPoint" p using "Training" t where t.id = p."trainingId" and t."workspaceId" = ${workspaceId}`;
	await tx.$executeRaw`delete from "TriggerEffect" e using "TriggerFiring" f where f.id = e."firingId" and f."workspaceId" = ${workspaceId}`;
	for (const name of await ownTables(tx)) await tx.$executeRaw`delete from ${tableOf(name)} where "workspaceId" = ${workspaceId}`;
	await tx.workspace.deleteMany({ where: { id: workspaceId } });
	await tx.$executeRaw`delete from "HarnessSnapshot" where "treeId" = any(${trees.map(({ id }) => id)}) and not exists (select 1 from (${TREES}) t where t."treeId" = "HarnessSnapshot"."treeId")`;
	await tx.$executeRaw`delete from "WorkspaceBundle" where id = any(${bundles.map(({ id }) => id)}) and not exists (select 1 from (${BUNDLES}) b where b."bundleId" = "WorkspaceBundle".id)`;
}

const RemovalSchema = z.object({ repositories: z.array(z.string()).default([]) });

/** Workspaces of a name that were removed, with the folders of their repositories: what the audit log says of them. */
export async function listRemoved(db: DatabaseOrTransaction, slug: string): Promise<{ workspaceId: string; repositories: string[] }[]> {
	const entries = await db.auditEntry.findMany({
		where: { action: { in: ["workspace.delete", "workspace.take-back"] }, subject: slug, workspaceId: { not: null } },
		select: { workspaceId: true, detail: true },
		orderBy: { at: "asc" },
	});
	return entries.map(({ workspaceId, detail }) => ({ workspaceId: workspaceId as string, ...RemovalSchema.parse(detail) }));
}
