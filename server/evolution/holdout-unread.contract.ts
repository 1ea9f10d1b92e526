/**
 * Detail of the holdout's check before a release is made: the one thing that only releasing can show. Apart from the schemas,
 * so that a page can ask for it without loading Zod.
 */
export const HOLDOUT_UNREAD = "read when the release is made";
