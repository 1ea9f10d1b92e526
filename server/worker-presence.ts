/** Name under which a worker is connected to the database; see `server/db/presence.ts`. */
export const WORKER_PRESENCE = "studio-worker";
