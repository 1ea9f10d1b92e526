import { setTimeout as sleep } from "node:timers/promises";
import { beginningOf, findRunningStudio } from "./running-studio";

/** `npm stop`: stops the studio that runs on this data directory, from another terminal; the same as Ctrl-C in its own. */

const PATIENCE_MS = 30_000;

const studio = findRunningStudio();
if (!studio) {
	console.log("no studio runs on this data directory");
	process.exit(0);
}
process.kill(studio.pid, "SIGTERM");
for (const startedAt = Date.now(); beginningOf(studio.pid) === studio.since; await sleep(100)) {
	if (Date.now() - startedAt < PATIENCE_MS) continue;
	console.error(`process ${studio.pid} (${studio.address}) still runs; look at its messages`);
	process.exit(1);
}
console.log(`stopped ${studio.address}`);
