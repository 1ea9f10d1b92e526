import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { createDatabase } from "./client";
import { databaseFailure, dataErrorCode } from "./failures";
import { createTestDatabase, type TestDatabase } from "./testing";
import { waitForDatabase } from "./wait-for-database";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

const thrownBy = (work: () => unknown): Promise<unknown> =>
	Promise.resolve()
		.then(work)
		.then(
			() => null,
			(error: unknown) => error,
		);
/** A port that nothing listens on, or that takes connections and says nothing. */
async function listener(): Promise<{ url: string; close(): Promise<void> }> {
	const sockets = new Set<net.Socket>();
	const server = net.createServer((socket) => sockets.add(socket.on("error", () => undefined)));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as net.AddressInfo;
	return {
		url: `postgresql://postgres:x@127.0.0.1:${port}/studio`,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const coded = (code: string) => Object.assign(new Error("x"), { code });

describe("what the database does to a call", () => {
	it.each([
		["refused", coded("ECONNREFUSED"), "database-unavailable"],
		["shut down", coded("57P01"), "database-unavailable"],
		["closed, as Prisma says it", coded("P1017"), "database-unavailable"],
		["no code at all", new Error("Connection terminated unexpectedly"), "database-unavailable"],
		["full, as PostgreSQL says it", coded("53100"), "disk-full"],
		["full, within a raw query", Object.assign(new Error("x"), { code: "P2010", meta: { code: "53100" } }), "disk-full"],
		["full, as the file system says it", new Error("x", { cause: coded("ENOSPC") }), "disk-full"],
		["several addresses, all refused", Object.assign(new AggregateError([coded("ECONNREFUSED")]), {}), "database-unavailable"],
		["an endpoint that refuses, by fetch", new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }), undefined],
		["what has a sentence of its own", new AppError("upstream", "x", { cause: coded("ECONNREFUSED") }), undefined],
		["a bug", new TypeError("x is not a function"), undefined],
		["a constraint", coded("P2002"), undefined],
	])("%s", (_, error, reason) => {
		expect(databaseFailure(error)?.reason).toBe(reason);
	});

	it("is seen through Prisma: nothing listens, nothing answers, the connection is cut", { timeout: 30_000 }, async () => {
		const silent = await listener();
		const onSilent = createDatabase(silent.url, 1);
		const hung = await thrownBy(() => onSilent.workspace.count());
		await silent.close();
		const refused = await thrownBy(() => onSilent.workspace.count());
		const inTransaction = await thrownBy(() => onSilent.$transaction((tx) => tx.workspace.count()));
		const raw = await thrownBy(() => onSilent.$queryRaw`select 1`);
		const cut = await thrownBy(() => database.db.$queryRaw`select pg_terminate_backend(pg_backend_pid())`);
		expect([hung, refused, inTransaction, raw, cut].map((error) => databaseFailure(error)?.reason)).toEqual(Array(5).fill("database-unavailable"));
	});

	it("is told apart from data that are refused", async () => {
		const bad = await thrownBy(() => database.db.$queryRaw`select ${"\\u0000"}::text, '"\\u0000"'::jsonb`);
		expect(dataErrorCode(bad)).toBe("22P05");
		expect(databaseFailure(bad)).toBeNull();
		expect(dataErrorCode(coded("40001"))).toBeNull();
	});
});

describe("waiting for the database", () => {
	it("ends when it answers, with a signal, and at once where waiting is of no use", { timeout: 20_000 }, async () => {
		await waitForDatabase(database.url, new AbortController().signal);
		const gone = await listener();
		await gone.close();
		await waitForDatabase(gone.url, AbortSignal.timeout(50));
		await expect(waitForDatabase(Object.assign(new URL(database.url), { password: "wrong" }).href, new AbortController().signal)).rejects.toThrow(/password/);
	});
});
