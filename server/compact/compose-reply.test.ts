import { describe, expect, it } from "vitest";
import { assemble, type Bounds, fillWording, sayValue, splitSentences } from "./compose-reply";
import { weighFeatures } from "./encode-text";

const values: Record<string, string> = { a: "红", b: "3" };
const source = (path: string) => values[path] ?? null;
const bounds = (rest: Partial<Bounds> = {}): Bounds => ({ maxChars: null, banned: [], prohibitions: [], weights: weighFeatures([]), ...rest });

describe("fillWording", () => {
	it.each([
		["有{{a}}色，还剩{{b}}个。", "有红色，还剩3个。"],
		["有{{a}}色，{{missing}}天到，还剩{{b}}个。", "有红色，还剩3个。"],
		["有{{missing}}色。", ""],
		["您好，{{missing}}天到。", ""],
		["没有字段。", "没有字段。"],
	])("%j becomes %j", (wording, text) => {
		expect(fillWording(wording, source).text).toBe(text);
	});
});

describe("sayValue", () => {
	it.each([
		[12, "12"],
		["  x ", "x"],
		["", null],
		[true, null],
		[["红", "蓝"], "红、蓝"],
		[["red", 2], "red, 2"],
		[[], null],
		[{ a: 1 }, null],
		[Number.NaN, null],
	])("%j is %j", (value, said) => {
		expect(sayValue(value)).toBe(said);
	});
});

describe("assemble", () => {
	it("joins parts in order while the limit allows", () => {
		expect(assemble(["一二三四五。", "六七八。", "九。"], bounds({ maxChars: 9 }))).toBe("一二三四五。九。");
	});

	it("cuts the first part at a clause when it alone is too long", () => {
		expect(assemble(["一二三，四五六，七八九。"], bounds({ maxChars: 9 }))).toBe("一二三，四五六。");
	});

	it("leaves forbidden clauses out, and what a hook objected to", () => {
		expect(assemble(["很好用，永远不坏，可以拍。"], bounds({ prohibitions: [{ text: "说永远不坏", words: ["永远不坏"] }] }))).toBe("很好用，可以拍。");
		expect(assemble(["很好用，最亮的。"], bounds({ banned: ["最亮"] }))).toBe("很好用。");
	});

	it("says nothing twice", () => {
		expect(assemble(["Plain text here.", "Plain text here."], bounds())).toBe("Plain text here.");
	});
});

describe("splitSentences", () => {
	it.each([
		["一。二！三", ["一。", "二！", "三"]],
		["One 3.5 two. Three?", ["One 3.5 two.", "Three?"]],
	])("%j", (text, sentences) => {
		expect(splitSentences(text)).toEqual(sentences);
	});
});
