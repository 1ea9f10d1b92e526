/** Nobody waits longer for a database that takes connections no more, or that has stopped answering. */
const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** A machine that vanished without a word is noticed on an idle connection so long after (and ten probes, a second apart). */
const KEEP_ALIVE_MS = 10_000;

/** What every connection of a running studio is opened with, Prisma's, the queue's and the listeners' alike. */
export const connectionTo = (url: string) => ({
	connectionString: url,
	connectionTimeoutMillis: CONNECT_MS,
	query_timeout: ANSWER_MS,
	keepAlive: true,
	keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
});
