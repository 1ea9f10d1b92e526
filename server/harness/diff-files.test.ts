import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffFiles, diffLines } from "./diff-files";

const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 }).map((lines) => lines.join("\n"));

describe("diffLines", () => {
	it("gives back both sides", () => {
		fc.assert(
			fc.property(text, text, (before, after) => {
				const changes = diffLines(before, after);
				expect(
					changes
						.filter((change) => change.kind !== "added")
						.map((change) => change.text)
						.join("\n"),
				).toBe(before);
				expect(
					changes
						.filter((change) => change.kind !== "removed")
						.map((change) => change.text)
						.join("\n"),
				).toBe(after);
			}),
		);
	});

	it("finds a smallest one", () => {
		expect(diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc").filter((change) => change.kind !== "same")).toHaveLength(5);
	});

	it("ends for texts that have nothing in common", () => {
		const many = (prefix: string) => Array.from({ length: 5000 }, (_, i) => `${prefix}${i}`).join("\n");
		expect(diffLines(many("a"), many("b"))).toHaveLength(10_000);
	});
});

describe("diffFiles", () => {
	it("names what was added, modified and deleted", () => {
		expect(diffFiles({ a: "1\n2\n", b: "x", c: "same" }, { a: "1\n3\n", c: "same", d: "n\n" })).toEqual([
			{ path: "a", status: "modified", before: "1\n2\n", after: "1\n3\n", added: 1, removed: 1 },
			{ path: "b", status: "deleted", before: "x", after: null, added: 0, removed: 1 },
			{ path: "d", status: "added", before: null, after: "n\n", added: 1, removed: 0 },
		]);
	});
});
