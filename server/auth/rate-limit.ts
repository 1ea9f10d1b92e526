import type { Database } from "@/server/db/client";
import { newId } from "@/server/kernel/id";

/**
 * Counts an attempt under a key and says whether it is within `max` per window of `windowS` seconds; one atomic statement,
 * so that parallel attempts cannot slip through. Rows are shared with better-auth's own limits.
 */
export async function consumeAttempt(db: Database, key: string, max: number, windowS: number, now: Date): Promise<boolean> {
	const at = BigInt(now.getTime());
	const start = at - BigInt(windowS * 1000);
	const rows = await db.$queryRaw<{ count: number }[]>`
		INSERT INTO "RateLimit" ("id", "key", "count", "lastRequest") VALUES (${newId("rl")}, ${key}, 1, ${at})
		ON CONFLICT ("key") DO UPDATE SET
			"count" = CASE WHEN "RateLimit"."lastRequest" <= ${start} THEN 1 ELSE "RateLimit"."count" + 1 END,
			"lastRequest" = CASE WHEN "RateLimit"."lastRequest" <= ${start} THEN ${at} ELSE "RateLimit"."lastRequest" END
		RETURNING "count"`;
	return (rows[0]?.count ?? 0) <= max;
}
