import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { messageOf } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { databaseFailure } from "./failures";

const CONNECT_MS = 5_000;
const AGAIN_MS = 1_000;
/** One line in so many tries. */
const QUIET_TRIES = 15;
const DATABASE_MISSING = "3D000";

async function answers(url: string): Promise<void> {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS });
	client.on("error", () => undefined);
	try {
		await client.connect();
		await client.query("select 1");
	} catch (error) {
		// The server is there; its database is made with the migrations.
		if ((error as { code?: string }).code !== DATABASE_MISSING) throw error;
	} finally {
		void client.end().catch(() => undefined);
	}
}

/**
 * Resolves when the server of this address answers, or when `signal` aborts; says in the log what is waited for. Throws at
 * once what waiting cannot mend (a wrong password).
 */
export async function waitForDatabase(url: string, signal: AbortSignal): Promise<void> {
	for (let tries = 0; !signal.aborted; tries++) {
		try {
			await answers(url);
			if (tries > 0) logger.warn("the database answers again");
			return;
		} catch (error) {
			if (!databaseFailure(error)) throw error;
			if (tries % QUIET_TRIES === 0) logger.warn({ error: messageOf(error) }, "waiting for the database");
			await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
		}
	}
}
