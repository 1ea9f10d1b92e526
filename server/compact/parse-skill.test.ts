import { describe, expect, it } from "vitest";
import { fieldNames, parseSkillBody, quotedTexts, splitAlternatives } from "./parse-skill";

const BODY = `# 台灯

灯的规则。

- 当 有人问多亮、几瓦，或者“刺不刺眼”: 先调 find_lamp 并带上 room，再答“{{watts}}瓦，{{tone}}光。”，再补“可以调：{{steps}}档。”
- 如果 有人问灯坏了，且有 {{spare}}: 答“有备件{{spare}}。”
* **When** the lamp is "too hot" or smells: answer “Please unplug it.”
1. when {{left}} is 0, asks for a lamp: answer “None left.”
- 不要 说“永远不坏”“最亮”
- Never promise a date
- 平常的一句话
`;

describe("parseSkillBody", () => {
	const { rules, prohibitions } = parseSkillBody(BODY);

	it("reads rules in both languages, and nothing else as a rule", () => {
		expect(rules.map((rule) => rule.condition)).toEqual([
			"有人问多亮、几瓦，或者“刺不刺眼”",
			"有人问灯坏了，",
			'the lamp is "too hot" or smells',
			", asks for a lamp",
		]);
		expect(rules.map((rule) => rule.index)).toEqual([0, 1, 2, 3]);
		expect(rules[0]?.line).toBe(5);
	});

	it("takes quoted text as wording and keeps its colon out of the condition", () => {
		expect(rules[0]).toMatchObject({ wordings: ["{{watts}}瓦，{{tone}}光。", "可以调：{{steps}}档。"], fields: ["watts", "tone", "steps"] });
		expect(rules[0]?.instructions).toContain("find_lamp");
		expect(rules[0]?.instructions).not.toContain("瓦");
	});

	it("reads guards on results", () => {
		expect(rules[1]?.guards).toEqual([{ field: "spare", test: "present", value: null }]);
		expect(rules[3]?.guards).toEqual([{ field: "left", test: "equals", value: "0" }]);
	});

	it("reads prohibitions with their literal words", () => {
		expect(prohibitions).toEqual([
			{ text: "说“永远不坏”“最亮”", words: ["永远不坏", "最亮"] },
			{ text: "promise a date", words: [] },
		]);
	});

	it("lists the ways to meet a condition", () => {
		expect(splitAlternatives("有人问多亮、几瓦，或者“刺不刺眼”")).toEqual(["刺不刺眼", "有人问多亮", "几瓦"]);
	});

	it.each([
		['“a”和「b」与"c"', ["a", "b", "c"]],
		["没有", []],
	])("quotes of %j", (text, quotes) => {
		expect(quotedTexts(text)).toEqual(quotes);
	});

	it("names each field once", () => {
		expect(fieldNames("{{a}} {{ a.b }} {{a}}")).toEqual(["a", "a.b"]);
	});
});
