import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { env } from "@/server/kernel/env";
import { listCaseIds, readHoldoutCases, readOpenCases } from "./case.repository";
import { casesToCsv, casesToJsonLines } from "./export-cases";
import { dryRunImport, editCase, importCaseFiles, importCases, removeCases } from "./import-cases";
import { bufferSource } from "./read-table";
import { findCurrentSuiteVersion, listSuites } from "./suite.repository";

describe("suites in the database", () => {
	let database: TestDatabase;
	const actor = { id: "u1", name: "Test" };
	const target = { workspaceId: "w1", suiteKey: "t1" };
	const csv = (from: number, to: number) =>
		`id,message,category,reference\n${Array.from({ length: to - from }, (_, i) => `c${from + i},CANARY${from + i} ${"abcdefghij"[(from + i) % 10]?.repeat(6)} question number ${(from + i) * 7919},cat${i % 3},=answer ${i}`).join("\n")}\n`;
	beforeAll(async () => {
		database = await createTestDatabase();
	});
	afterAll(() => database.drop());

	it("imports, is idempotent, and makes immutable versions", async () => {
		const dry = await dryRunImport(database.db, target, bufferSource(csv(0, 60), "a.csv"));
		expect(dry).toMatchObject({ accepted: 60, added: 60, rejectedTotal: 0 });
		expect(await findCurrentSuiteVersion(database.db, "w1", "t1")).toBeNull();
		const first = await importCases(database.db, target, bufferSource(csv(0, 60), "a.csv"), actor);
		expect(first.suiteVersion).toMatchObject({ version: 1, created: true });
		const again = await importCases(database.db, target, bufferSource(csv(0, 60), "a.csv"), actor);
		expect(again.suiteVersion).toMatchObject({ version: 1, created: false });
		expect(again.unchanged).toBe(60);
		const more = await importCases(database.db, target, bufferSource(csv(60, 70), "b.csv"), actor);
		expect(more.suiteVersion.version).toBe(2);
		const [suite] = await listSuites(database.db, "w1");
		expect(suite?.versions.map((version) => version.splits.dev + version.splits.test + version.splits.holdout)).toEqual([70, 60]);
		expect(suite?.versions[0]?.splits.holdout).toBeGreaterThan(0);
	});
	it("adds the categories that come new with the cases to the workspace, and leaves those it has as they are", async () => {
		const title = { en: "First", zh: "第一" };
		await database.db.workspace.create({
			data: { id: "w9", slug: "w9", title, language: "en", measure: "rubric", categories: [{ id: "cat1", title }] },
		});
		const categories = async () => (await database.db.workspace.findUniqueOrThrow({ where: { id: "w9" } })).categories;
		await importCases(database.db, { workspaceId: "w9", suiteKey: "t1" }, bufferSource(csv(0, 6), "a.csv"), actor);
		const all = [
			{ id: "cat1", title },
			{ id: "cat0", title: { en: "cat0", zh: "cat0" } },
			{ id: "cat2", title: { en: "cat2", zh: "cat2" } },
		];
		expect(await categories()).toEqual(all);
		await importCases(database.db, { workspaceId: "w9", suiteKey: "t1" }, bufferSource(csv(6, 9), "b.csv"), actor);
		expect(await categories()).toEqual(all);
	});
	it("edits under the same key as a new version, and removes without deleting", async () => {
		const current = await findCurrentSuiteVersion(database.db, "w1", "t1");
		const [one] = await readOpenCases(database.db, current?.id ?? "", "dev");
		if (!one) throw new Error("no dev case");
		const edited = await editCase(database.db, target, one.id, { content: { ...one.content, message: "another question" } }, actor);
		const after = await findCurrentSuiteVersion(database.db, "w1", "t1");
		expect(after?.version).toBe(edited.version);
		const now = (await readOpenCases(database.db, after?.id ?? "", "dev")).filter((row) => row.key === one.key);
		expect(now.map((row) => row.content.message)).toEqual(["another question"]);
		expect((await readOpenCases(database.db, current?.id ?? "", "dev")).find((row) => row.key === one.key)?.content.message).toBe(one.content.message);
		const removed = await removeCases(
			database.db,
			target,
			now.map((row) => row.id),
			actor,
		);
		expect(removed.removed).toBe(1);
	});
	it("refuses an edit whose rubric no reply can meet", async () => {
		const current = await findCurrentSuiteVersion(database.db, "w1", "t1");
		const [one] = await readOpenCases(database.db, current?.id ?? "", "dev");
		if (!one) throw new Error("no dev case");
		const rubric = [{ kind: "regex" as const, pattern: "(", negate: false, dimension: "effectiveness" as const }];
		const edit = editCase(database.db, target, one.id, { content: { ...one.content, rubric } }, actor);
		await expect(edit).rejects.toMatchObject({ code: "bad-input", reason: "case-rubric", params: { item: 1, whyReason: "rubric-pattern", more: 0 } });
		expect(await findCurrentSuiteVersion(database.db, "w1", "t1")).toEqual(current);
	});
	it("refuses a file without one good row and keeps what there is", async () => {
		const before = await findCurrentSuiteVersion(database.db, "w1", "t1");
		await expect(importCases(database.db, target, bufferSource("message,category\n,a\n", "t.csv"), actor)).rejects.toMatchObject({
			reason: "import-nothing-accepted",
		});
		expect(await findCurrentSuiteVersion(database.db, "w1", "t1")).toEqual(before);
	});
	it("gives holdout cases a canary and shows none of them in lists and exports", async () => {
		const version = (await findCurrentSuiteVersion(database.db, "w1", "t1"))?.id ?? "";
		const sealed = await readHoldoutCases(database.db, { suiteVersionId: version }, "execute");
		expect(sealed.length).toBe((await listCaseIds(database.db, version, "holdout")).length);
		const raw = await database.db.case.findMany({ where: { split: "holdout" }, select: { content: true } });
		expect(raw.every((row) => String((row.content as { canary?: string }).canary).startsWith("canary-"))).toBe(true);
		const open = [...(await readOpenCases(database.db, version, "dev")), ...(await readOpenCases(database.db, version, "test"))];
		const text = casesToJsonLines([...open, ...sealed]) + casesToCsv([...open, ...sealed]);
		for (const one of sealed) expect(text).not.toContain(one.content.message);
		expect(text).toContain(open[0]?.content.message);
	});
	it("exports what it can import again, and cells that no spreadsheet runs", async () => {
		const version = (await findCurrentSuiteVersion(database.db, "w1", "t1"))?.id ?? "";
		const open = await readOpenCases(database.db, version, "test");
		expect(casesToCsv(open)).toContain("'=answer");
		const again = await dryRunImport(database.db, target, bufferSource(casesToJsonLines(open), "x.jsonl"));
		expect(again).toMatchObject({ accepted: open.length, unchanged: open.length, rejectedTotal: 0 });
	});
	it("imports the case files of a folder, with the file in each reason", async () => {
		const line = (id: string, message: string) => JSON.stringify({ id, category: "a", split: "dev", message, expect: {}, rubric: [] });
		const result = await importCaseFiles(
			database.db,
			{ workspaceId: "w2", suiteKey: "t1" },
			{ "cases/b.jsonl": `${line("b-1", "hello there")}\n\nnot json\n`, "cases/a.jsonl": line("a-1", "another one"), "README.md": "no" },
			actor,
		);
		expect(result).toMatchObject({ accepted: 2, rejectedTotal: 1 });
		expect(result.rejected[0]).toMatchObject({ at: "cases/b.jsonl:3", line: 3 });
	});
	const bitext = path.resolve(env().STUDIO_TEST_DATA, "bitext/customer_support.csv");
	it.skipIf(!fs.existsSync(bitext))("imports 2,025 real requests with line breaks in cells, no group across splits", async () => {
		const other = { workspaceId: "w3", suiteKey: "t1" };
		const report = await importCases(database.db, other, bufferSource(fs.readFileSync(bitext), "customer_support.csv"), actor, {
			mapping: { message: "instruction", category: "intent", reference: "response" },
		});
		expect(report.accepted + report.rejectedTotal).toBe(2025);
		expect(report.categories).toHaveLength(27);
		const rows = await database.db.case.groupBy({
			by: ["groupKey"],
			where: { workspaceId: "w3" },
			_count: { split: true },
			_min: { split: true },
			_max: { split: true },
		});
		expect(rows.every((row) => row._min.split === row._max.split)).toBe(true);
		expect(report.splits.test).toBeGreaterThan(report.splits.holdout);
	});
});
