import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { importCases } from "./import-cases";
import { bufferSource } from "./read-table";
import { listSuites, storeSuiteVersion } from "./suite.repository";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

const actor = { id: "u1", name: "Test" };
const csv = (from: number, to: number) =>
	`id,message,category\n${Array.from({ length: to - from }, (_, i) => `c${from + i},question number ${(from + i) * 7919},cat${i % 3}`).join("\n")}\n`;

it("makes a suite with its first version or not at all, and one suite where two import into it at once", async () => {
	const fresh = { workspaceId: "w1", suiteKey: "fresh" };
	const cases = { ...fresh, suiteTitle: { en: "F", zh: "F" }, cases: [], mode: "append" as const, createdById: actor.id, note: null };
	const full = new Error("no space left");
	await expect(storeSuiteVersion(database.db, cases, () => Promise.reject(full))).rejects.toBe(full);
	expect(await database.db.suite.count({ where: { key: "fresh" } })).toBe(0);
	const both = await Promise.all([
		importCases(database.db, fresh, bufferSource(csv(200, 220), "a.csv"), actor),
		importCases(database.db, fresh, bufferSource(csv(220, 240), "b.csv"), actor),
	]);
	expect(both.map((one) => one.suiteVersion.version).sort()).toEqual([1, 2]);
	const [suite] = (await listSuites(database.db, "w1")).filter((one) => one.key === "fresh");
	expect(suite?.versions.map((version) => version.splits.dev + version.splits.test + version.splits.holdout)).toEqual([40, 20]);
});
