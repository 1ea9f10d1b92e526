import { describe, expect, it } from "vitest";
import { type ImportOptionsInput, ImportOptionsSchema } from "../contract";
import { type ExistingCase, planImport } from "./plan-import";
import { bufferSource } from "./read-table";

const plan = (content: Buffer | string, name: string, options: ImportOptionsInput = {}) =>
	planImport(
		bufferSource(content, name),
		ImportOptionsSchema.parse(options),
		{ existing: [] },
		{ world: { shop: { price: 99, open: true } }, roomProblem: () => null },
	);
const anyCategory = { defaultCategory: "x" };

const EMPTY = { world: {}, roomProblem: () => null };

describe("a planned import", () => {
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
