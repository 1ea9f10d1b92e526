import pg from "pg";
import { connectionTo } from "@/server/db/connection";
import { databaseFailure } from "@/server/db/failures";
import { logger } from "@/server/kernel/logger";

/** Class of the advisory locks that say "a living process works on this job". */
const LOCK_CLASS = 7_423_012;
const GRACE_SECONDS = 3;

/**
 * Which jobs this process works on, as locks of one connection: they vanish with the process, so that another worker can
 * tell a slow handler from a dead one without a heartbeat.
 */
export function createJobLocks(url: string) {
	const held = new Set<string>();
	let client: pg.Client | null = null;
	let connecting: Promise<pg.Client> | null = null;
	let closed = false;

	async function connect(): Promise<pg.Client> {
		if (client) return client;
		connecting ??= (async () => {
			const next = new pg.Client({ ...connectionTo(url), application_name: "studio-jobs" });
			const lose = () => {
				if (client === next) client = null;
			};
			// A lost connection may report more than one error, and none of them may end the process.
			next.on("error", lose);
			next.once("end", lose);
			await next.connect();
			// After a lost connection, what is still running is claimed again.
			for (const id of held) await next.query("select pg_advisory_lock_shared($1, hashtext($2))", [LOCK_CLASS, id]);
			client = next;
			return next;
		})().finally(() => {
			connecting = null;
		});
		return connecting;
	}

	/** Asks over the one connection. One that stopped answering is given up: whatever comes after would wait behind the question that hangs. */
	async function ask<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<T>> {
		const connection = await connect();
		return connection.query<T>(text, values).catch((error: unknown) => {
			if (databaseFailure(error)) {
				if (client === connection) client = null;
				void connection.end().catch(() => undefined);
			}
			throw error;
		});
	}

	return {
		async acquire(jobId: string): Promise<void> {
			// First the connection, which claims what is held already: a lock that is taken twice has to be given back twice.
			await connect();
			held.add(jobId);
			await ask("select pg_advisory_lock_shared($1, hashtext($2))", [LOCK_CLASS, jobId]);
		},
		async release(jobId: string): Promise<void> {
			held.delete(jobId);
			await client?.query("select pg_advisory_unlock_shared($1, hashtext($2))", [LOCK_CLASS, jobId]).catch(() => undefined);
		},
		/** Puts active jobs that no living process holds back into the queue (or fails them, when their retries are spent). Returns how many. */
		async reclaim(): Promise<number> {
			if (closed) return 0;
			const result = await ask<{ id: string; name: string }>(
				`update pgboss.job j set
					state = case when j.retry_count < j.retry_limit then 'retry' else 'failed' end::pgboss.job_state,
					completed_on = case when j.retry_count < j.retry_limit then null else now() end,
					start_after = now(),
					output = '{"message":"the worker that ran this job died"}'
				where j.state = 'active' and j.name not like '\\_\\_pgboss\\_\\_%' and j.started_on < now() - make_interval(secs => $2)
					and not exists (
						select 1 from pg_locks l
						where l.locktype = 'advisory' and l.granted and l.classid::bigint = $1
							and l.database = (select oid from pg_database where datname = current_database())
							and l.objid::bigint = (hashtext(j.id::text)::bigint & 4294967295))
				returning j.id, j.name`,
				[LOCK_CLASS, GRACE_SECONDS],
			);
			for (const row of result.rows) logger.warn({ job: row.id, name: row.name }, "jobs: taken over from a worker that died");
			return result.rowCount ?? 0;
		},
		/** Cancels jobs that have waited for ten minutes under a name that this release does not know. */
		async dropUnknown(known: readonly string[]): Promise<number> {
			if (closed || known.length === 0) return 0;
			const result = await ask<{ name: string }>(
				`update pgboss.job set state = 'cancelled', completed_on = now()
				where state in ('created', 'retry') and name not like '\\_\\_pgboss\\_\\_%' and not name = any($1) and start_after < now() - interval '10 minutes'
				returning name`,
				[known],
			);
			for (const row of result.rows) logger.warn({ name: row.name }, "jobs: unknown name, dropped");
			return result.rowCount ?? 0;
		},
		async close(): Promise<void> {
			closed = true;
			await client?.end().catch(() => undefined);
		},
	};
}
