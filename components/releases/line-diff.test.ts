import { describe, expect, it } from "vitest";
import { diffRows } from "./line-diff";

const show = (before: string | null, after: string | null) =>
	diffRows(before, after).map((row) => `${{ same: " ", added: "+", removed: "-", gap: "@" }[row.kind]}${row.text}`);

describe("the exact diff before a rollback", () => {
	it.each<[string, string | null, string | null, string[]]>([
		["equal", "a\nb\n", "a\nb\n", ["@2"]],
		["added file", null, "a\nb\n", ["+a", "+b"]],
		["deleted file", "a\n", null, ["-a"]],
		["one line", "a\nb\nc\n", "a\nx\nc\n", [" a", "-b", "+x", " c"]],
		["moved line", "a\nb\nc\n", "b\nc\na\n", ["-a", " b", " c", "+a"]],
		["far apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n", ["-1", "+x", " 2", " 3", "@3", " 7", " 8", "-9", "+y"]],
	])("%s", (_name, before, after, expected) => {
		expect(show(before, after)).toEqual(expected);
	});

	it("applied to the old text gives the new one", () => {
		const before = Array.from({ length: 200 }, (_, i) => `line ${i % 17}`).join("\n");
		const after = Array.from({ length: 190 }, (_, i) => `line ${(i * 3) % 19}`).join("\n");
		const rows = diffRows(before, after);
		const old = before.split("\n");
		const built: string[] = [];
		let at = 0;
		for (const row of rows) {
			if (row.kind === "gap") for (let k = 0; k < Number(row.text); k++) built.push(old[at++] ?? "");
			if (row.kind === "same") built.push(old[at++] ?? "");
			if (row.kind === "removed") at++;
			if (row.kind === "added") built.push(row.text);
		}
		expect(built.join("\n")).toBe(after);
	});
});
