import { expect, it } from "vitest";
import { createSpeaker } from "./phrase";

const say = createSpeaker({ plain: "Nothing to add.", full: "{name} is {value}.", code: "Guard {what} with `{% if … %}`." }, "message");

it("gives the sentence and the same as data", () => {
	expect(say("full", { name: "limit", value: 3 })).toEqual({ message: "limit is 3.", phrase: { id: "full", params: { name: "limit", value: 3 } } });
	expect(say("plain")).toEqual({ message: "Nothing to add.", phrase: { id: "plain", params: {} } });
});

it("leaves alone what is no parameter, and never reads a value as a template", () => {
	expect(say("code", { what: "{name}" }).message).toBe("Guard {name} with `{% if … %}`.");
});
