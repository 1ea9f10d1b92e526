import { describe, expect, it } from "vitest";
import { csvField, toCsv } from "./csv";
import { applyTableState, nextSort } from "./table-state";

const rows = [
	{ id: "c-10", value: 3 as number | null },
	{ id: "c-2", value: 1 },
	{ id: "c-1", value: null },
	{ id: "d-4", value: 2 },
];
type Row = (typeof rows)[number];
const columns = [
	{ id: "id", sortValue: (row: Row) => row.id, text: (row: Row) => row.id },
	{ id: "value", sortValue: (row: Row) => row.value },
];
const ids = (state: { q?: string; sort?: string; page?: number }, pageSize = 10) =>
	applyTableState(rows, columns, { q: "", sort: "", page: 1, ...state }, pageSize).rows.map((row) => row.id);

describe("applyTableState", () => {
	it.each([
		[{}, ["c-10", "c-2", "c-1", "d-4"]],
		[{ sort: "id" }, ["c-1", "c-2", "c-10", "d-4"]],
		[{ sort: "-id" }, ["d-4", "c-10", "c-2", "c-1"]],
		[{ sort: "value" }, ["c-2", "d-4", "c-10", "c-1"]],
		[{ sort: "-value" }, ["c-10", "d-4", "c-2", "c-1"]],
		[{ sort: "nonsense" }, ["c-10", "c-2", "c-1", "d-4"]],
		[{ q: "C 1" }, ["c-10", "c-1"]],
	])("%j", (state, expected) => {
		expect(ids(state)).toEqual(expected);
	});

	it.each([
		[1, ["c-10", "c-2", "c-1"]],
		[2, ["d-4"]],
		[99, ["d-4"]],
		[-1, ["c-10", "c-2", "c-1"]],
		[Number.NaN, ["c-10", "c-2", "c-1"]],
	])("page %d of three rows", (page, expected) => {
		expect(ids({ page }, 3)).toEqual(expected);
	});

	it("does not change what it was given", () => {
		const before = [...rows];
		ids({ sort: "value" });
		expect(rows).toEqual(before);
	});
});

describe("nextSort", () => {
	it("goes through ascending, descending, own order", () => {
		expect(nextSort("", "id")).toBe("id");
		expect(nextSort("id", "id")).toBe("-id");
		expect(nextSort("-id", "id")).toBe("");
		expect(nextSort("-value", "id")).toBe("id");
	});
});

describe("csv", () => {
	it.each([
		["=1+1", "'=1+1"],
		["+86", "'+86"],
		["-x", "'-x"],
		["@a", "'@a"],
		["\tx", "'\tx"],
		["a,b", '"a,b"'],
		['say "hi"', '"say ""hi"""'],
		["两行\n文字", '"两行\n文字"'],
		[-3.5, "-3.5"],
		[Number.NaN, ""],
		[null, ""],
		[false, "false"],
	])("%j is written as %s", (value, expected) => {
		expect(csvField(value)).toBe(expected);
	});

	it("starts with a byte order mark and ends each line with CRLF", () => {
		expect(toCsv(["a"], [["b"]])).toBe("\ufeffa\r\nb\r\n");
	});
});
