import { describe, expect, it } from "vitest";
import { safeCell, toCsv } from "./csv";

describe("safeCell", () => {
	it.each([
		["plain", "plain"],
		["=1+1", "'=1+1"],
		["+49", "'+49"],
		["-2+3", "'-2+3"],
		["@SUM(A1)", "'@SUM(A1)"],
		["\tx", "'\tx"],
		['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
		["a,b", '"a,b"'],
		['say "hi"', '"say ""hi"""'],
		["two\nlines", '"two\nlines"'],
		[-3.5, "-3.5"],
		[null, ""],
		[new Date("2026-12-01T00:00:00Z"), "2026-12-01T00:00:00.000Z"],
		[{ a: 1 }, '"{""a"":1}"'],
	])("%j → %s", (value, expected) => {
		expect(safeCell(value)).toBe(expected);
	});
});

it("toCsv begins with a byte order mark and ends each row", () => {
	expect(toCsv(["a", "b"], [[1, "价格"]])).toBe("\uFEFFa,b\r\n1,价格\r\n");
});
