import fs from "node:fs";
import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { type ImportOptionsInput, ImportOptionsSchema } from "../contract";
import { planImport } from "./plan-import";
import { bufferSource } from "./read-table";

const plan = (content: Buffer | string, name: string, options: ImportOptionsInput = {}) =>
	planImport(bufferSource(content, name), ImportOptionsSchema.parse(options), { existing: [] }, { world: {}, roomProblem: () => null });
const anyCategory = { defaultCategory: "x" };

describe("the encoding of a table", () => {
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

	const rows = "message,category\n这款外套一共有几种颜色,a\n“一口价”是什么意思？,a\n";
	it.each([
		["gb18030", rows],
		["big5", "message,category\n這件外套一共有幾種顏色可以選擇嗎,a\n請問今天下單什麼時候能到貨呢,a\n"],
		["utf-16le", rows],
		["utf-16be", rows],
		["utf-16le", `message,category\n${"Сколько цветов у этого пальто и когда придёт мой заказ,a\n".repeat(9)}`],
		["utf-16le", "message,category\nis it warm in winter,a\nbut cheap \u0000,a\n"],
		["iso-8859-1", "message,category\nOù est ma commande passée à Nîmes ?,a\n"],
	])("says that it guessed %s", async (encoding, text) => {
		const { report, cases } = await plan(iconv.encode(text, encoding), "t.csv");
		expect(cases[0]?.content.message).toBe(text.split("\n")[1]?.split(",")[0]);
		expect(report.encoding).toBe(encoding);
		expect(report.warnings[0]).toMatchObject({ line: 1, phrase: { id: "encoding-guessed", params: { encoding } } });
	});
	it.each([
		["utf-8", "message\nçà va ?\n", {}],
		["utf-8", "message\n😀😀😀😀\n", {}],
		["utf-8", "message\n12 + 30 = ?\n", {}],
		["gb18030", rows, { encoding: "gb18030" }],
		["utf-16le", `\uFEFF${rows}`, {}],
	])("does not call %s a guess when it is none", async (encoding, text, options) => {
		const { report } = await plan(iconv.encode(text, encoding), "t.csv", { ...anyCategory, ...options });
		expect(report.encoding).toBe(encoding);
		expect(report.warnings.map(({ phrase }) => phrase?.id)).not.toContain("encoding-guessed");
	});

	const zip = Buffer.concat([Buffer.from("504b030414000000080000002100", "hex"), Buffer.from("xl/workbook.xml message,category\nhello,a\n")]);
	it.each([
		["PNG", fs.readFileSync("docs/screenshots/evolution-phone.png"), {}],
		["PNG", fs.readFileSync("docs/screenshots/evolution-phone.png"), { encoding: "utf-8" }],
		["ZIP / XLSX", zip, {}],
		["PDF", Buffer.from("%PDF-1.7\nmessage,category\nhello,a\n"), {}],
		["GZIP", gzipSync("message,category\nhello,a\n"), {}],
	])("refuses a %s by its kind", async (kind, content, options) => {
		await expect(plan(content, "t.csv", { ...anyCategory, ...options })).rejects.toMatchObject({
			code: "bad-input",
			reason: "import-not-a-table",
			params: { name: "t.csv", kind },
			fix: expect.stringContaining("UTF-8"),
		});
	});

	const junk = (seed: number, bytes: number) => {
		const random = createRandom(seed);
		return Buffer.from(Array.from({ length: bytes }, () => random.int(256)));
	};
	it.each(Array.from({ length: 40 }, (_, seed) => seed))("refuses junk, whatever it is taken for (%i)", async (seed) => {
		const head = Buffer.from("message,category\n");
		for (const content of [junk(seed, 2048), junk(seed, 200), Buffer.concat([head, junk(seed, 2048)])])
			await expect(plan(content, "t.csv", anyCategory)).rejects.toMatchObject({ code: "bad-input", reason: "import-not-text" });
	});
	it("refuses UTF-8 that is mostly control characters, also where an encoding is asked for", async () => {
		const content = Buffer.from("message\n\u0001\u0002\u0000\u0000abc\u0003\n");
		for (const encoding of ["auto", "utf-8", "windows-1252"])
			await expect(plan(content, "t.csv", { ...anyCategory, encoding })).rejects.toMatchObject({ reason: "import-not-text", fix: expect.any(String) });
	});
});
