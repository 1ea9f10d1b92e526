import { afterAll, beforeAll, expect, it } from "vitest";
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
