import pg from "pg";
import { connectionTo } from "./connection";

/**
 * Which processes are alive, as the database sees it: each holds one connection under a name, which ends with the process,
 * also after `kill -9`. No heartbeat rows, nothing to clean up.
 */
export async function announcePresence(url: string, name: string): Promise<{ end(): Promise<void> }> {
	let client: pg.Client | null = null;
	let ended = false;
	const connect = async () => {
		const next = new pg.Client({ ...connectionTo(url), application_name: name });
		// The database may go away and come back: announce again then.
		// A lost connection may report more than one error, and none of them may end the process.
		next.on("error", () => {
			if (client === next) void retry();
		});
		await next.connect();
		client = next;
	};
	const retry = async () => {
		client = null;
		while (!ended && !client) {
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			await connect().catch(() => undefined);
		}
		// It may have connected while the process was ending.
		if (ended) await (client as pg.Client | null)?.end().catch(() => undefined);
	};
	await connect();
	return {
		async end() {
			ended = true;
			await client?.end().catch(() => undefined);
		},
	};
}

/** How many processes of that name are connected to this database. */
export async function countPresent(url: string, name: string): Promise<number> {
	const client = new pg.Client(connectionTo(url));
	await client.connect();
	try {
		const result = await client.query<{ n: number }>(
			"select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = $1",
			[name],
		);
		return result.rows[0]?.n ?? 0;
	} finally {
		await client.end();
	}
}
