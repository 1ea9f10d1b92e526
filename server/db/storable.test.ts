import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toDatabaseJson, toStorable } from "./storable";
import { createTestDatabase, type TestDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

const AT = new Date("2026-01-02T03:04:05.678Z");

describe("what a model writes and PostgreSQL cannot store", () => {
	it.each([
		["NUL", "x\u0000y", "x\uFFFDy"],
		["the first half of a pair", "x\ud83dy", "x\uFFFDy"],
		["the second half of a pair", "x\ude00y", "x\uFFFDy"],
		["a whole pair", "x😀y", "x😀y"],
		["text that only looks like an escape", "\\u0000", "\\u0000"],
	])("%s", (_, text, expected) => {
		expect(toStorable({ [text]: [text] })).toEqual({ [expected]: [expected] });
		expect(JSON.parse(toDatabaseJson({ [text]: [text] }))).toEqual({ [expected]: [expected] });
	});

	it("leaves dates and bytes beside it as they are", () => {
		const bytes = new Uint8Array([0, 1]);
		expect(toStorable({ text: "\u0000", AT, bytes })).toEqual({ text: "\uFFFD", AT, bytes });
		expect(toDatabaseJson({ text: "\u0000", at: AT })).toBe(JSON.stringify({ text: "\uFFFD", at: AT }));
	});

	it("is replaced in every row that the client writes, in text and JSON alike", async () => {
		const row = { fingerprint: "f", requestHash: "h", response: { content: "a\u0000b\ud800", nested: [{ "k\u0000": 1 }] } };
		await database.db.responseCache.createMany({ data: [row] });
		const written = await database.db.responseCache.findFirst({ where: { requestHash: "h" } });
		expect(written?.response).toEqual({ content: "a\uFFFDb\uFFFD", nested: [{ "k\uFFFD": 1 }] });
		await database.db.$transaction((tx) => tx.responseCache.updateMany({ where: { requestHash: "h" }, data: { requestHash: "h\u0000" } }));
		expect(await database.db.responseCache.count({ where: { requestHash: "h\uFFFD" } })).toBe(1);
	});
});
