import { PrismaPg } from "@prisma/adapter-pg";
import { connectionTo } from "./connection";
import { PrismaClient } from "./generated/client";
import { toStorable } from "./storable";

export type Database = PrismaClient;
/** What a repository takes: the client, or the transaction of the caller. */
export type DatabaseOrTransaction = Omit<PrismaClient, "$connect" | "$disconnect" | "$on" | "$use" | "$extends" | "$transaction">;

/** How long a transaction waits for a connection, and how long it may take: a machine that is busy with an evaluation is slow, not broken. */
const TRANSACTION_MS = { maxWait: 15_000, timeout: 20_000 };

/**
 * A Prisma client over node-postgres; `connections` bounds its pool. What PostgreSQL cannot store (a NUL in a model's
 * answer) becomes U+FFFD in every row that is written; people's own input is refused before it comes here.
 */
export function createDatabase(url: string, connections = 10): Database {
	const client = new PrismaClient({ adapter: new PrismaPg({ ...connectionTo(url), max: connections }), transactionOptions: TRANSACTION_MS });
	const storing = client.$extends({ query: { $allModels: { $allOperations: ({ args, query }) => query(toStorable(args)) } } });
	// The extension changes no signature; its own type only hides that.
	return storing as unknown as Database;
}
