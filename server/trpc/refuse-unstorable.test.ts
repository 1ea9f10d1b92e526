import { describe, expect, it } from "vitest";
import { refuseUnstorable } from "./refuse-unstorable";

describe("text that cannot be stored", () => {
	it.each([
		["at the top", { title: "a\u0000" }, "title"],
		["within", { filter: { text: "\ud800x" } }, "filter.text"],
		["in a list", { ids: ["a", "b\u0000"] }, "ids.1"],
		["in a file", { patch: { "skills/a/SKILL.md": "\udc00" } }, "patch.skills/a/SKILL.md"],
		["in a key", { patch: { "a\u0000.md": "x" } }, "patch.a\uFFFD.md"],
		["alone", "\u0000", "input"],
	])("%s is refused, and the field is named", (_, input, field) => {
		expect(() => refuseUnstorable(input)).toThrow(expect.objectContaining({ code: "bad-input", reason: "text-unstorable", params: { field } }));
	});

	it.each([[undefined], [null], [7], [{ text: "😀 \t\n \\u0000", at: new Date(0), bytes: new Uint8Array([0]) }]])("%j passes", (input) => {
		expect(() => refuseUnstorable(input)).not.toThrow();
	});
});
