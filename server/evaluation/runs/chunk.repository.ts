import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import { toDatabaseJson } from "@/server/db/storable";
import type { EpisodeRow } from "./episode-row";

/** A worker that says nothing for so long has died; its chunks are free again. With the poll of another worker, under 10 s. */
export const LEASE_SECONDS = 8;
/** A chunk that killed this many workers is given up: what it lacks is recorded as an infrastructure error. */
export const MAX_ATTEMPTS = 5;

export interface LeasedChunk {
	id: string;
	runId: string;
	caseIds: string[];
	/** Above 1: someone had it before, so that some results may be there already. */
	attempt: number;
}

/**
 * Leases up to `limit` free chunks: those queued, and those whose owner stopped renewing. Runs under variants come after
 * the others (four suites of them follow a round, and proposals must not wait for them); then the workspace with the least
 * under way, so that one team's slow endpoint keeps nobody else waiting; then the oldest run. The database's
 * clock alone decides, and `skip locked` lets two workers take different ones at once. What the owner is at work on (`held`)
 * stays with it however late it renews: a slow machine is no death of a worker.
 */
export async function leaseChunks(db: DatabaseOrTransaction, owner: string, limit: number, held: readonly string[] = []): Promise<LeasedChunk[]> {
	return db.$queryRaw<LeasedChunk[]>`
		with busy as (
			select r."workspaceId", count(*) as chunks from "RunChunk" c join "Run" r on r.id = c."runId"
			where c.status = 'leased' and c."leaseUntil" >= (now() at time zone 'utc') group by r."workspaceId"
		), free as (
			select c.id from "RunChunk" c join "Run" r on r.id = c."runId" left join busy b on b."workspaceId" = r."workspaceId"
			where r.status in ('queued', 'running') and (c.status = 'queued' or (c.status = 'leased' and c."leaseUntil" < (now() at time zone 'utc')))
				and not (c.owner is not distinct from ${owner} and c.id = any(${[...held]}))
			order by r."variantKey" <> '', coalesce(b.chunks, 0), r.number, r.id, c.index limit ${limit} for update of c skip locked
		), taken as (
			update "RunChunk" c set status = 'leased', owner = ${owner}, attempt = c.attempt + 1,
				"leaseUntil" = (now() at time zone 'utc') + make_interval(secs => ${LEASE_SECONDS})
			from free where c.id = free.id
			returning c.id, c."runId", c."caseIds", c.attempt, c.index
		), started as (
			update "Run" set status = 'running', "startedAt" = coalesce("startedAt", (now() at time zone 'utc'))
			where id in (select "runId" from taken) and status = 'queued'
		)
		select id, "runId", "caseIds", attempt from taken order by "runId", index`;
}

/** Renews the leases of an owner; returns those that are still its own, in runs that still go on. */
export async function renewLeases(db: DatabaseOrTransaction, owner: string): Promise<string[]> {
	const rows = await db.$queryRaw<{ id: string }[]>`
		update "RunChunk" c set "leaseUntil" = (now() at time zone 'utc') + make_interval(secs => ${LEASE_SECONDS})
		from "Run" r where r.id = c."runId" and c.owner = ${owner} and c.status = 'leased' and r.status = 'running'
		returning c.id`;
	return rows.map((row) => row.id);
}

/** Gives chunks back that this owner did not finish. */
export async function releaseChunks(db: DatabaseOrTransaction, owner: string, ids: readonly string[]): Promise<void> {
	// The attempt did not fail; it stays above 0 so that the next owner looks for results that are there.
	await db.$executeRaw`
		update "RunChunk" set status = 'queued', owner = null, "leaseUntil" = null, attempt = greatest(1, attempt - 1)
		where id = any(${[...ids]}) and owner = ${owner} and status = 'leased'`;
}

/** Which results of these cases are there already, as `caseId/trial`. */
export async function listPresent(db: DatabaseOrTransaction, runId: string, caseIds: readonly string[]): Promise<Set<string>> {
	const rows = await db.episode.findMany({ where: { runId, caseId: { in: [...caseIds] } }, select: { caseId: true, trial: true } });
	return new Set(rows.map((row) => `${row.caseId}/${row.trial}`));
}

/**
 * Commits results in one statement, the counters of their run with them: a result that is there already (another worker was
 * faster) changes nothing and counts for nothing. One parameter as JSON keeps the client's work small.
 */
export async function commitResults(db: Database, runId: string, rows: readonly EpisodeRow[], doneChunkIds: readonly string[]): Promise<void> {
	const episodes = toDatabaseJson(rows.map(({ record: _record, ...row }) => ({ ...row, createdAt: new Date() })));
	const records = toDatabaseJson(rows.flatMap(({ id, record }) => (record ? [{ episodeId: id, ...record }] : [])));
	await db.$executeRaw`
		with inserted as (
			insert into "Episode" select * from json_populate_recordset(null::"Episode", ${episodes}::json)
			on conflict ("runId", "caseId", trial) do nothing returning id, outcome
		), recorded as (
			insert into "EpisodeRecord" select r.* from json_populate_recordset(null::"EpisodeRecord", ${records}::json) r
			where r."episodeId" in (select id from inserted)
		), finished as (
			update "RunChunk" set status = 'done', owner = null, "leaseUntil" = null where id = any(${[...doneChunkIds]}) and status <> 'done'
		)
		update "Run" set
			valid = valid + (select count(*)::int from inserted where outcome <> 'infra-error'),
			"infraErrors" = "infraErrors" + (select count(*)::int from inserted where outcome = 'infra-error')
		where id = ${runId}`;
}

/** Runs that are ready for their end: all chunks done, or being cancelled with no living worker on them. */
export async function listSettled(db: DatabaseOrTransaction): Promise<{ id: string; workspaceId: string; status: "running" | "cancelling" }[]> {
	return db.$queryRaw<{ id: string; workspaceId: string; status: "running" | "cancelling" }[]>`
		select r.id, r."workspaceId", r.status from "Run" r
		where (r.status = 'running' and not exists (select 1 from "RunChunk" c where c."runId" = r.id and c.status <> 'done'))
			or (r.status = 'cancelling' and not exists (
				select 1 from "RunChunk" c where c."runId" = r.id and c.status = 'leased' and c."leaseUntil" > (now() at time zone 'utc')))`;
}

/** How many workers hold a living lease of the run. */
export async function countWorkers(db: DatabaseOrTransaction, runId: string): Promise<number> {
	const [row] = await db.$queryRaw<{ n: number }[]>`
		select count(distinct owner)::int as n from "RunChunk" where "runId" = ${runId} and status = 'leased' and "leaseUntil" > (now() at time zone 'utc')`;
	return row?.n ?? 0;
}
