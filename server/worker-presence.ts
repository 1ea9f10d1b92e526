/** Names under which workers are connected to the database; see `server/db/presence.ts`. */
export const WORKER_PRESENCE = "studio-worker";
/** The second name of one that has the repositories; see `keep-repositories.ts`. */
export const KEEPER_PRESENCE = "studio-keeper";
