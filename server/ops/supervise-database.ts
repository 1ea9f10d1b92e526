import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPostgres } from "@/server/db/embedded-postgres";
import { messageOf } from "@/server/kernel/errors";
import type { Supervised } from "./launcher";

const LOOK_MS = 1_000;

/**
 * Starts the embedded PostgreSQL again when it dies; its crash recovery does the rest, and worker and web wait for it.
 * It is never given up: there is nothing else that the studio could do. `stop` stops the database too.
 */
export function superviseDatabase(database: Pick<EmbeddedPostgres, "isThere" | "restart" | "stop">, say: (line: string) => void): Supervised {
	const ending = new AbortController();
	const { signal } = ending;
	const watching = (async () => {
		let lastFault = "";
		while (!signal.aborted) {
			await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
			if (signal.aborted || (await database.isThere())) continue;
			if (lastFault === "") say("the database ended; starting it again");
			try {
				await database.restart();
				lastFault = "";
				say("the database is there again");
			} catch (error) {
				if (messageOf(error) !== lastFault) say(`the database does not start, will try again: ${messageOf(error)}`);
				lastFault = messageOf(error);
			}
		}
	})();
	return {
		async stop() {
			ending.abort();
			await watching;
			await database.stop();
		},
	};
}
