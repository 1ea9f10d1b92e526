import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client";

export type Database = PrismaClient;
/** What a repository takes: the client, or the transaction of the caller. */
export type DatabaseOrTransaction = Omit<PrismaClient, "$connect" | "$disconnect" | "$on" | "$use" | "$extends" | "$transaction">;

/** A Prisma client over node-postgres; `connections` bounds its pool. */
export function createDatabase(url: string, connections = 10): Database {
	return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: connections }) });
}
