import { afterAll, beforeAll, expect, it } from "vitest";
import { runAdminSql } from "./migrations";
import { announcePresence, countPresent } from "./presence";
import { createTestDatabase, type TestDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

it("counts the living processes of a name", async () => {
	expect(await countPresent(database.url, "studio-worker")).toBe(0);
	const first = await announcePresence(database.url, "studio-worker");
	const second = await announcePresence(database.url, "studio-worker");
	expect(await countPresent(database.url, "studio-worker")).toBe(2);
	await first.end();
	await expect.poll(() => countPresent(database.url, "studio-worker")).toBe(1);
	await second.end();
});

it("announces itself again when its connection was cut, and says nothing after its end", async () => {
	const presence = await announcePresence(database.url, "studio-cut");
	const cut = () => runAdminSql(database.url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'studio-cut'");
	for (let times = 0; times < 2; times++) {
		await cut();
		await expect.poll(() => countPresent(database.url, "studio-cut"), { timeout: 5_000 }).toBe(1);
	}
	await presence.end();
	await expect.poll(() => countPresent(database.url, "studio-cut")).toBe(0);
});
