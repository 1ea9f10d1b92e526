import { describe, expect, it } from "vitest";
import { createSpeaker, createWriter, phrasesOf } from "./phrase";
import { PhraseSchema } from "./phrase.contract";

const say = createSpeaker({ plain: "Nothing to add.", full: "{name} is {value}.", code: "Guard {what} with `{% if … %}`." }, "message");

it("gives the sentence and the same as data", () => {
	expect(say("full", { name: "limit", value: 3 })).toEqual({ message: "limit is 3.", phrase: { id: "full", params: { name: "limit", value: 3 } } });
	expect(say("plain")).toEqual({ message: "Nothing to add.", phrase: { id: "plain", params: {} } });
});

it("leaves alone what is no parameter, and never reads a value as a template", () => {
	expect(say("code", { what: "{name}" }).message).toBe("Guard {name} with `{% if … %}`.");
});

describe("a writer", () => {
	const writer = createWriter({ title: "{category}: {fault} ({cases})", fault: "misses {points}" }, {
		title: "{category}：{fault}（{cases}）",
		fault: "漏掉{points}",
		other: "其他",
	} as { title: string; fault: string });
	const category = { en: "Orders", zh: "下单" };

	it.each([
		["en", "Orders: misses a, b (2)"],
		["zh-CN", "下单：漏掉a、b（2）"],
	])("writes in the language %s, with sentences and lists inside", (language, text) => {
		const write = writer(language);
		const written = write("title", { category, fault: write("fault", { points: ["a", "b"] }), cases: 2 });
		expect(written).toEqual({
			text,
			phrase: { id: "title", params: { category, fault: { id: "fault", params: { points: ["a", "b"] } }, cases: 2 } },
		});
		expect(PhraseSchema.parse(JSON.parse(JSON.stringify(written.phrase)))).toEqual(written.phrase);
		expect(phrasesOf([written])).toEqual({ [text]: written.phrase });
	});
});
