import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { CaseContentSchema, TRAINING_SUITE } from "../contract";
import { readMeasuredCases, readTrainingCases } from "./case.repository";

let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

async function insert(workspaceId: string, suiteVersionId: string, key: string, split: string, groupKey: string): Promise<void> {
	const content = JSON.parse(JSON.stringify(CaseContentSchema.parse({ message: `message ${key}` })));
	await database.db.case.create({
		data: { id: key, workspaceId, key, category: "x", split, groupKey, content, hash: key, versions: { create: { suiteVersionId } } },
	});
}

it("gives training dev cases alone, and none whose group a test or holdout case of any suite shares; measures on test cases of all but those for training", async () => {
	for (const [workspaceId, suite, version] of [
		["ws_1", "suite_1", "version_1"],
		["ws_1", "suite_2", "version_2"],
		["ws_2", "suite_3", "version_3"],
	] as const) {
		await database.db.suite.create({
			data: { id: suite, workspaceId, key: suite, title: {}, versions: { create: { id: version, version: 1, hash: version } } },
		});
	}
	await insert("ws_1", "version_1", "free", "dev", "g-free");
	await insert("ws_1", "version_1", "like-test", "dev", "g-1");
	await insert("ws_1", "version_1", "test", "test", "g-1");
	await insert("ws_1", "version_1", "like-holdout", "dev", "g-2");
	await insert("ws_1", "version_1", "holdout", "holdout", "g-2");
	await insert("ws_1", "version_1", "like-other-suite", "dev", "g-3");
	await insert("ws_1", "version_2", "other-suite", "test", "g-3");
	await insert("ws_2", "version_3", "another-workspace", "test", "g-free");
	const keysOf = async (version: string) => {
		const { dev, pool } = await readTrainingCases(database.db, version);
		return { dev: dev.map((one) => one.key), pool: pool.map((one) => one.key) };
	};
	expect(await keysOf("version_1")).toEqual({ dev: ["free"], pool: [] });
	expect(await keysOf("version_none")).toEqual({ dev: [], pool: [] });
	await database.db.suite.create({
		data: { id: "suite_t", workspaceId: "ws_1", key: TRAINING_SUITE, title: {}, versions: { create: { id: "version_t", version: 1, hash: "t" } } },
	});
	await insert("ws_1", "version_t", "pool-free", "dev", "g-4");
	await insert("ws_1", "version_t", "pool-like-test", "dev", "g-1");
	expect(await keysOf("version_1")).toEqual({ dev: ["free"], pool: ["pool-free"] });
	await insert("ws_1", "version_t", "pool-test", "test", "g-5");
	const measured = async (version: string) => (await readMeasuredCases(database.db, version)).map((one) => one.key);
	// "other-suite" shares the group of a dev case: it is not measured on, as that case is not trained on.
	await insert("ws_1", "version_2", "other-free", "test", "g-6");
	await insert("ws_1", "version_2", "other-sealed", "test", "g-2");
	expect([await measured("version_1"), await measured("version_none")]).toEqual([["test", "other-free"], []]);
});
