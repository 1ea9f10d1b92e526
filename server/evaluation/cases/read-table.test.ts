import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type ImportOptionsInput, ImportOptionsSchema } from "../contract";
import { planImport } from "./plan-import";
import { bufferSource, type TableSource } from "./read-table";

const plan = (content: Buffer | string, name: string, options: ImportOptionsInput = {}) =>
	planImport(bufferSource(content, name), ImportOptionsSchema.parse(options), { existing: [] }, { world: {}, roomProblem: () => null });
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
});
