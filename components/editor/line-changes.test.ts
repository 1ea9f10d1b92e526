import { expect, it } from "vitest";
import { changedLines } from "./line-changes";

it.each([
	["a\nb\nc", "a\nb\nc", []],
	["a\nb\nc", "a\nx\nc", [2]],
	["a\nb\nc", "a\nb\nnew\nc", [3]],
	["a\nb\nc", "a\nc", []],
	["a\nb\nc\nd", "a\nx\nc\ny\nd", [2, 4]],
	["", "a", [1]],
	["a\na", "a\na\na", [3]],
])("marks the lines of %j → %j", (base, text, lines) => {
	expect(changedLines(base, text)).toEqual(lines);
});
