import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { env } from "@/server/kernel/env";
import { type ImportOptionsInput, ImportOptionsSchema } from "../contract";
import { listCaseIds, readHoldoutCases, readOpenCases } from "./case.repository";
import { casesToCsv, casesToJsonLines } from "./export-cases";
import { dryRunImport, editCase, importCaseFiles, importCases, removeCases } from "./import-cases";
import { type ExistingCase, planImport } from "./plan-import";
import { bufferSource, type TableSource } from "./read-table";
import { findCurrentSuiteVersion, listSuites } from "./suite.repository";

const plan = (content: Buffer | string, name: string, options: ImportOptionsInput = {}) =>
	planImport(
		bufferSource(content, name),
		ImportOptionsSchema.parse(options),
		{ existing: [] },
		{ world: { shop: { price: 99, open: true } }, roomProblem: () => null },
	);
function* pieces(content: string): Generator<Buffer> {
	const bytes = Buffer.from(content);
	for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}
const anyCategory = { defaultCategory: "x" };

const EMPTY = { world: {}, roomProblem: () => null };

describe("hostile and odd files", () => {
	it("reads a byte order mark, CRLF and line breaks inside cells, and names the line where a row begins", async () => {
		const { report, cases } = await plan('\uFEFFquestion,category\r\n"first\r\nline",a\r\n,a\r\nthird,b\r\n', "t.csv");
		expect(cases.map((one) => one.content.message)).toEqual(["first\nline", "third"]);
		expect(report.rejected).toMatchObject([{ line: 4, at: "line 4", reason: "The message is empty." }]);
	});
	it.each(["gb18030", "utf-16le", "big5", "shift_jis"])("detects or is told %s", async (encoding) => {
		const text = `message,category\n${Array.from({ length: 30 }, (_, i) => `這個商品第${i}件多少錢，今天下單什麼時候能到貨呢,price`).join("\n")}`;
		const bom = encoding === "utf-16le" ? Buffer.from([0xff, 0xfe]) : Buffer.alloc(0);
		const content = Buffer.concat([bom, iconv.encode(encoding === "gb18030" ? text.replaceAll("這個", "这个") : text, encoding)]);
		const { cases } = await plan(content, "t.csv", encoding === "shift_jis" ? { encoding } : {});
		expect(cases[3]?.content.message).toContain("商品第3件");
	});
	it.each([
		["gb18030", "这款还有货吗"],
		["windows-1252", "Où est ma commande passée à Nîmes ?"],
	])("reads a single row in %s", async (encoding, message) => {
		const { cases } = await plan(iconv.encode(`message,category\n${message},a\n`, encoding), "t.csv");
		expect(cases.map((one) => one.content.message)).toEqual([message]);
	});

	it("rejects a row whose bytes do not fit the encoding, and keeps the others", async () => {
		const head = Buffer.from(`message,category\n${"plain ascii row,a\n".repeat(1)}`);
		const filler = Buffer.from(Array.from({ length: 300 }, (_, i) => `filler row ${i} ${"of the file ".repeat(90)},a\n`).join(""));
		const { report } = await plan(Buffer.concat([head, filler, iconv.encode("这是国标编码,a\n", "gb18030")]), "t.csv");
		expect(report.rejected.map((row) => row.reason.slice(0, 60))).toHaveLength(1);
		expect(report.rejected[0]?.reason).toContain("encoding");
	});
	it("says that a file has nothing but a head, and refuses two columns of one name", async () => {
		const { report, cases } = await plan("message,category\n", "t.csv");
		expect(cases).toEqual([]);
		expect(report.warnings).toMatchObject([{ line: 1, reason: "The file has no row below its head." }]);
		await expect(plan("message,category,message\na,b,c\n", "t.csv")).rejects.toMatchObject({ reason: "import-column-twice", params: { column: "message" } });
	});
	it("lists every bad row of a CSV with its line and reason", async () => {
		const { report, cases } = await plan('message,category\ngood,a\ntoo,many,cells\n"broken" quote,a\nnul\u0000,a\ngood too,a\n', "t.csv");
		expect(cases.map((one) => one.content.message)).toEqual(["good", '"broken" quote', "good too"]);
		expect(report.rejected.map((row) => [row.line, row.reason.split(" ").slice(0, 3).join(" ")])).toEqual([
			[3, "The row has"],
			[5, "The row holds"],
		]);
	});
	it("says where a quote was opened that never closes", async () => {
		const { report, cases } = await plan('message,category\ngood,a\n"never closed,a\nlost,a\n', "t.csv");
		expect(cases).toHaveLength(1);
		expect(report.rejected).toMatchObject([{ line: 3, at: "line 3", reason: "A quote is opened and never closed; everything after it was read as one cell." }]);
	});
	it("names a missing column and what is there", async () => {
		await expect(plan("a,b\n1,2\n", "t.csv", { mapping: { message: "question" }, ...anyCategory })).rejects.toMatchObject({
			reason: "import-missing-column",
			data: { columns: ["a", "b"], missing: ["question"] },
		});
		await expect(plan("a,b\n1,2\n", "t.csv", anyCategory)).rejects.toMatchObject({ reason: "import-mapping-needed" });
	});
	it("refuses an empty file, an unknown encoding, too many bytes and too many rows, with the limit", async () => {
		await expect(plan("", "t.csv")).rejects.toMatchObject({ reason: "import-empty" });
		await expect(plan("message\nx", "t.csv", { encoding: "klingon" })).rejects.toMatchObject({ reason: "import-encoding-unknown" });
		const huge: TableSource = { ...bufferSource("x", "t.csv"), bytes: 300 * 2 ** 20 };
		await expect(planImport(huge, ImportOptionsSchema.parse({}), { existing: [] }, EMPTY)).rejects.toMatchObject({ reason: "import-too-large" });
	});
	it("reads 200 MB as a stream and stops at the row limit without holding the file", async () => {
		const row = Buffer.from(`${"长消息".repeat(40)} and some more text to make it long,a\n`.repeat(1_000));
		let sent = 0;
		const source: TableSource = {
			name: "big.csv",
			bytes: 200 * 2 ** 20,
			sample: async () => Buffer.from("message,category\nx,a\n"),
			stream: () =>
				Readable.from(
					(function* () {
						yield Buffer.from("message,category\n");
						while (sent < 200 * 2 ** 20) {
							sent += row.length;
							yield row;
						}
					})(),
				),
		};
		await expect(planImport(source, ImportOptionsSchema.parse({}), { existing: [] }, EMPTY)).rejects.toMatchObject({ reason: "import-too-many-rows" });
		expect(sent).toBeLessThan(100 * 2 ** 20);
	});
	it("lists bad lines of JSONL", async () => {
		const { report, cases } = await plan(
			'{"message":"a","category":"x"}\n{broken\n[1]\n\n{"message":5,"category":"x"}\n{"message":"b","category":"x","split":"train"}\n{"message":"\\ud800","category":"x"}\n',
			"t.jsonl",
		);
		expect(cases.map((one) => one.content.message)).toEqual(["a", "5"]);
		expect(report.rejected.map((row) => row.line)).toEqual([2, 3, 6, 7]);
	});
	it.each([
		["bytes at once", (content: string) => bufferSource(content, "t.jsonl")],
		["a stream of small pieces", (content: string): TableSource => ({ ...bufferSource(content, "t.jsonl"), stream: () => Readable.from(pieces(content)) })],
	])("rejects a line of JSONL that is too large or too deep, and reads those after it, from %s", async (_name, sourceOf) => {
		const good = (text: string) => `{"message":"${text}","category":"x"}`;
		const deep = `{"message":${"[".repeat(100_000)}${"]".repeat(100_000)},"category":"x"}`;
		const content = `\uFEFF${[good("one"), good("y".repeat(3 << 20)), good("two"), deep, good("three"), good("z".repeat(300_000))].join("\r\n")}`;
		const { report, cases } = await planImport(sourceOf(content), ImportOptionsSchema.parse({}), { existing: [] }, EMPTY);
		expect(cases.map((one) => [one.line, one.content.message])).toEqual([
			[1, "one"],
			[3, "two"],
			[5, "three"],
		]);
		expect(report.rejected.map((row) => [row.line, row.phrase?.id])).toEqual([
			[2, "line-large"],
			[4, "line-deep"],
			[6, "line-large"],
		]);
	});
	it("rejects a row of CSV that is too large once, and reads those after it", async () => {
		const { report, cases } = await plan(`message,category\none,x\n"${"line\n".repeat(600_000)}",x\ntwo,x\n${"y".repeat(300_000)},x\nthree,x\n`, "t.csv");
		expect(cases.map((one) => [one.line, one.content.message])).toEqual([
			[2, "one"],
			[600_004, "two"],
			[600_006, "three"],
		]);
		expect(report.rejected.map((row) => [row.line, row.phrase?.id])).toEqual([
			[3, "row-large"],
			[600_005, "row-large"],
		]);
	});
	it("says once where a row of CSV begins that does not end, and takes nothing of it for rows", async () => {
		const { report, cases } = await plan(`message,category\none,x\n"never closed,x\n${"more,x\n".repeat(3_000_000)}`, "t.csv");
		expect(cases.map((one) => one.content.message)).toEqual(["one"]);
		expect(report.rejected.map((row) => [row.line, row.phrase?.id])).toEqual([[3, "row-endless"]]);
	});
	it("refuses a rubric that no reply can meet, and warns of a doubtful one", async () => {
		const line = (id: string, ...rubric: object[]) =>
			JSON.stringify({ id, category: "x", split: "dev", group: id, message: `the question ${id.repeat(9)}`, rubric });
		const { report, cases } = await plan(
			[
				line("a", { kind: "fact", path: "shop.price" }, { kind: "regex", pattern: "9+" }),
				line("b", { kind: "fact", path: "shop.price" }, { kind: "regex", pattern: "(" }, { kind: "fact", path: "shop.colour" }),
				line("c", { kind: "json-schema", schema: { type: 7 } }),
				line("d", { kind: "fact", path: "shop.open" }),
				line("e", { kind: "fact", path: "shop.open", accept: ["open"] }),
			].join("\n"),
			"t.jsonl",
		);
		expect(cases.map((one) => one.key)).toEqual(["a", "d", "e"]);
		expect(report.rejected).toEqual([
			{
				line: 2,
				at: "line 2",
				reason: "No reply can meet its rubric: point 2: the pattern does not compile, point 3: the world has nothing at this path",
				phrase: {
					id: "rubric-unmet",
					params: {
						problems: [
							{ id: "rubric-pattern", params: { item: 2 } },
							{ id: "rubric-path", params: { item: 3 } },
						],
					},
				},
			},
			{
				line: 3,
				at: "line 3",
				reason: "No reply can meet its rubric: point 1: the JSON Schema is not valid",
				phrase: expect.objectContaining({ id: "rubric-unmet" }),
			},
		]);
		expect(report.warnings).toMatchObject([
			{ line: 4, at: "line 4", phrase: { id: "rubric-doubtful", params: { problems: [{ id: "rubric-fact-value", params: { item: 1 } }] } } },
		]);
	});
	describe("into the training suite", () => {
		const message = (n: number) => `question number ${"abcdefghijklmnopqrstuvwxyz"[n % 26]?.repeat(30)} ${n}`;
		const row = (id: string, text: string, split?: string) =>
			JSON.stringify({ id, category: "x", ...(split ? { split } : {}), message: text, tags: ["simulated"], rubric: [] });
		const intoTraining = (lines: string[], neighbours: ExistingCase[] = []) =>
			planImport(bufferSource(lines.join("\n"), "t.jsonl"), ImportOptionsSchema.parse({}), { existing: [], neighbours, training: true }, EMPTY);

		it("makes every case dev, whatever the row says or its hash would be", async () => {
			const { cases } = await intoTraining(Array.from({ length: 60 }, (_value, i) => row(`c${i}`, message(i), ["dev", "test", "holdout", undefined][i % 4])));
			expect(cases.length).toBeGreaterThan(20);
			expect(new Set(cases.map((one) => one.split))).toEqual(new Set(["dev"]));
		});

		it("rejects what is near a case of test or holdout, and lets a near-duplicate of dev join its group", async () => {
			const neighbour = (split: "dev" | "test" | "holdout", n: number): ExistingCase => ({
				key: `n${n}`,
				split,
				groupKey: `g${n}`,
				hash: `h${n}`,
				text: message(n),
			});
			const neighbours = [neighbour("test", 1), neighbour("holdout", 2), neighbour("dev", 3)];
			const { cases, report } = await intoTraining(
				[1, 2, 3, 4].map((n) => row(`c${n}`, `${message(n)} !`)),
				neighbours,
			);
			expect(cases.map((one) => one.key)).toEqual(["c3", "c4"]);
			expect(cases[0]?.groupKey).toBe("g3");
			expect(report.rejected.map(({ phrase }) => phrase?.id)).toEqual(["near-duplicate-elsewhere", "near-duplicate-elsewhere"]);
		});

		it("shares a table with another suite by group: each row is in one of them", async () => {
			const lines = Array.from({ length: 26 }, (_value, i) => row(`c${i}`, message(i)));
			const part = (training: boolean) =>
				planImport(bufferSource(lines.join("\n"), "t.jsonl"), ImportOptionsSchema.parse({ trainingShare: 0.5 }), { existing: [], training }, EMPTY);
			const [own, rest] = await Promise.all([part(true), part(false)]);
			const keys = [...own.cases, ...rest.cases].map((one) => one.key);
			expect(new Set(keys).size).toBe(26);
			expect(keys).toHaveLength(26);
			expect(Math.min(own.cases.length, rest.cases.length)).toBeGreaterThan(4);
		});
	});
	it("rejects a repeated id and a group that crosses splits", async () => {
		const line = (id: string, split: string, message: string, group: string) => JSON.stringify({ id, category: "x", split, group, message, rubric: [] });
		const { report } = await plan(
			[line("1", "dev", "第一个问题", "g"), line("1", "dev", "又一个问题", "h"), line("2", "test", "完全不同的话", "g")].join("\n"),
			"t.jsonl",
		);
		expect(report.rejected.map((row) => row.line)).toEqual([2, 3]);
		expect(report.rejected[1]?.reason).toContain("already in the split dev");
	});
});

describe("formats of others", () => {
	const folder = path.resolve(env().STUDIO_TEST_DATA, "import-formats");
	const has = fs.existsSync(folder);
	const file = (name: string) => fs.readFileSync(path.join(folder, name));
	it.skipIf(!has).each([
		["promptfoo/csv-metadata/tests.csv", "promptfoo", { mapping: { message: "topic" } }, 3],
		["promptfoo/jsonl-test-cases/cases.jsonl", "promptfoo", { ...anyCategory, mapping: { message: "text" } }, 2],
		["promptfoo/simple-test/tests.csv", "promptfoo", anyCategory, 3],
		["openai/chinese_homophonic.jsonl", "openai-evals", anyCategory, null],
		["openai/toy_chat_fine_tuning.jsonl", "openai-chat", anyCategory, null],
	] as const)("%s", async (name, dialect, options, rows) => {
		const { report, cases } = await plan(file(name), name, options);
		expect(report.dialect).toBe(dialect);
		expect(report.accepted + report.rejectedTotal).toBe(report.rows);
		if (rows !== null) expect(report.rows).toBe(rows);
		expect(cases.every((one) => one.content.message.length > 0)).toBe(true);
	});
	it("reads a chat's earlier turns as history and its last reply as reference", async () => {
		const chat = {
			messages: [
				{ role: "system", content: "s" },
				{ role: "user", content: "one" },
				{ role: "assistant", content: "two" },
				{ role: "user", content: "three" },
				{ role: "assistant", content: "four" },
			],
		};
		const { cases } = await plan(JSON.stringify(chat), "t.jsonl", anyCategory);
		expect(cases[0]?.content).toMatchObject({
			message: "three",
			reference: "four",
			history: [
				{ role: "viewer", text: "one" },
				{ role: "agent", text: "two" },
			],
		});
	});
	it("keeps promptfoo's assertions that have a counterpart and says which have none", async () => {
		const row = {
			vars: { q: "hi" },
			assert: [
				{ type: "icontains", value: "hello" },
				{ type: "not-contains", value: "no" },
				{ type: "javascript", value: "x" },
			],
		};
		const { cases, report } = await plan(JSON.stringify(row), "t.jsonl", anyCategory);
		expect(cases[0]?.content.rubric.map((item) => item.kind)).toEqual(["contains", "not-contains"]);
		expect(report.warnings[0]?.reason).toContain("javascript");
	});
});

describe("what measures a case", () => {
	const planOf = (row: object, surroundings = {}) =>
		planImport(
			bufferSource(JSON.stringify({ id: "a", category: "x", split: "dev", message: "is it warm", ...row }), "t.jsonl"),
			ImportOptionsSchema.parse({}),
			{ existing: [], ...surroundings },
			{
				world: {},
				roomProblem: (room) => (room?.base === "nowhere" ? "There is no room “nowhere”." : null),
			},
		);
	const warned = (report: { warnings: { phrase?: { id: string } | undefined }[] }) => report.warnings.map(({ phrase }) => phrase?.id);

	it("is its reference, where rubrics measure and it has none", async () => {
		const { cases, report } = await planOf({ reference: "Yes, it is." });
		expect(cases[0]?.content.rubric).toEqual([{ kind: "reference", metric: "chrf", min: 0.4, dimension: "effectiveness" }]);
		expect(warned(report)).toEqual(["reference-measures"]);
		expect((await planOf({ reference: "Yes, it is." }, { measure: "reference-intent" })).cases[0]?.content.rubric).toEqual([]);
	});
	it("is said to be nothing, where there is neither rubric nor reference", async () => {
		const { report } = await planOf({});
		expect(warned(report)).toEqual(["nothing-asked"]);
	});
	it("says once that a category is new", async () => {
		expect(warned((await planOf({ rubric: [{ kind: "contains", any: ["yes"] }] }, { categories: ["y"] })).report)).toEqual(["category-new"]);
	});
	it("needs a room that can be made", async () => {
		const { cases, report } = await planOf({ room: { base: "nowhere" } });
		expect(cases).toEqual([]);
		expect(report.rejected[0]?.reason).toContain("There is no room “nowhere”.");
	});
});

describe("near-duplicates", () => {
	it("leaves a sealed case where it is, whatever split a row asks for", async () => {
		const sealed = { key: "s1", split: "holdout" as const, groupKey: "g-s1", hash: "h", text: "is the hall warm in winter" };
		const row = (split: string) => JSON.stringify({ id: "s1", category: "x", split, message: "something else altogether" });
		const plan = (split: string) => planImport(bufferSource(row(split), "t.jsonl"), ImportOptionsSchema.parse({}), { existing: [sealed] }, EMPTY);
		const moved = await plan("dev");
		expect(moved.cases).toEqual([]);
		expect(moved.report.rejected).toMatchObject([{ line: 1, phrase: { id: "sealed-id" } }]);
		expect((await plan("holdout")).cases).toHaveLength(1);
	});
	it("puts them into one group and one split, whatever the order", async () => {
		const rows = ["how can I cancel my order 123456", "how can I cancel my order 123457", "where is the nearest shop", "can I pay with a card"];
		const toCsv = (list: string[]) => `message\n${list.join("\n")}\n`;
		const a = (await plan(toCsv(rows), "t.csv", anyCategory)).cases;
		const b = (await plan(toCsv([...rows].reverse()), "t.csv", anyCategory)).cases;
		expect(a[0]?.groupKey).toBe(a[1]?.groupKey);
		const key = (list: typeof a) => list.map((one) => [one.key, one.groupKey, one.split].join("/")).sort((x, y) => (x < y ? -1 : 1));
		expect(key(a)).toEqual(key(b));
	});
});

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
