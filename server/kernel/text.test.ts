import { expect, it } from "vitest";
import { countGraphemes } from "./text";

it("counts every character beside others as the segmenter does, with its short way and without", () => {
	const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
	const differing: string[] = [];
	for (let code = 0; code < 0x1_0000; code++) {
		if (code >= 0xd800 && code < 0xe000) continue;
		const char = String.fromCharCode(code);
		const text = `a${char}中${char}`;
		if (countGraphemes(text) !== [...segmenter.segment(text)].length) differing.push(code.toString(16));
	}
	expect(differing).toEqual([]);
	expect(countGraphemes("“👩‍👩‍👧”\n")).toBe(4);
});
