import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, namingDisk } from "@/server/db/embedded-postgres";
import { AppError, messageOf } from "@/server/kernel/errors";
import type { Supervised } from "./launcher";

const LOOK_MS = 1_000;

const sentencesOf = (error: unknown): string => `${messageOf(error)}${error instanceof AppError && error.fix ? ` ${error.fix}` : ""}`;

/**
 * Starts the embedded PostgreSQL again when it dies; its crash recovery does the rest, and worker and web wait for it.
 * It is never given up: there is nothing else that the studio could do. `onMoved` hears of its new address where another
 * program had taken its port meanwhile. `stop` stops the database too.
 */
export function superviseDatabase(
	database: Pick<EmbeddedPostgres, "url" | "isThere" | "restart" | "stop">,
	say: (line: string) => void,
	onMoved: (url: string) => void = () => undefined,
): Supervised {
	const ending = new AbortController();
	const { signal } = ending;
	const watching = (async () => {
		let lastFault = "";
		while (!signal.aborted) {
			await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
			if (signal.aborted || (await database.isThere())) continue;
			if (lastFault === "") say("the database ended; starting it again");
			try {
				const before = database.url;
				await database.restart();
				lastFault = "";
				const moved = database.url !== before;
				if (moved) onMoved(database.url);
				say(moved ? "the database is there again, on another port: another program has taken the one it had" : "the database is there again");
			} catch (cause) {
				const error = namingDisk(cause);
				if (sentencesOf(error) !== lastFault) say(`the database does not start, will try again: ${sentencesOf(error)}`);
				lastFault = sentencesOf(error);
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
