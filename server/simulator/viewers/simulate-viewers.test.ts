import { describe, expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { HabitSchema, type Viewers, ViewersSchema } from "./contract";
import { readViewers } from "./read-viewers";
import { SIMULATED_TAG, simulateViewers, typeLike } from "./simulate-viewers";

const VIEWERS: Viewers = ViewersSchema.parse({
	personas: [
		{ id: "new", opens: ["", "Hi, "], closes: ["", " please"], habits: ["plain", "hasty"] },
		{ id: "old", weight: 2, habits: ["hasty"] },
	],
	habits: [{ id: "plain" }, { id: "hasty", replace: { you: ["u"] }, replaceShare: 1, dropsPunctuation: 1, endings: ["", "!"], slips: 0.5 }],
	session: {
		smallTalk: [{ viewer: "Hello", agent: "Hello." }],
		others: [{ viewer: "(another) me too", agent: "One after the other." }],
		interruptions: ["wait, "],
		shares: { smallTalk: 0.3, others: 0.3, interruptions: 0.2, followUps: 0.4 },
	},
	goals: [
		{
			id: "bright",
			category: "light",
			ask: ["how bright is {lamp}", "does {lamp} shine, do you know?"],
			followUp: { before: { viewer: "what of {lamp}", agent: "It is a lamp." }, ask: ["and is it bright"] },
			slots: { lamp: [{ say: ["the tall one", "that big lamp"], is: { id: "l1", room: "hall" } }] },
			rooms: ["{lamp.room}"],
			expect: { skills: ["light"] },
			rubric: [{ kind: "fact", path: "lamps.{lamp.id}.watts" }],
		},
		{ id: "hello", category: "talk", ask: ["hello you", "good day to you", "hi there"], expect: { noTool: true } },
	],
});

describe("simulated viewers", () => {
	it("ask the same with the same seed, no wording twice, marked, with slots filled everywhere", () => {
		const cases = simulateViewers(VIEWERS, 40, 5);
		expect(simulateViewers(VIEWERS, 40, 5)).toEqual(cases);
		expect(simulateViewers(VIEWERS, 10, 5)).toEqual(cases.slice(0, 10));
		expect(simulateViewers(VIEWERS, 40, 6)).not.toEqual(cases);
		const prints = cases.map((one) => JSON.stringify([one.history, one.message.toLowerCase()]));
		expect(new Set(prints).size).toBe(cases.length);
		expect(JSON.stringify(cases)).not.toMatch(/\{[a-z]/u);
		expect(cases.every((one) => one.tags.includes(SIMULATED_TAG) && !("split" in one))).toBe(true);
		const bright = cases.find((one) => one.category === "light");
		expect(bright).toMatchObject({ room: { base: "hall" }, rubric: [{ path: "lamps.l1.watts" }] });
	});

	it("have sessions: small talk, another viewer in between, and questions after the agent's last answer", () => {
		const cases = simulateViewers(VIEWERS, 120, 1);
		const said = (text: string) => cases.filter((one) => one.history.some((turn) => turn.text.startsWith(text)));
		expect(said("Hello").length).toBeGreaterThan(5);
		expect(said("(another)").length).toBeGreaterThan(5);
		const follows = said("what of");
		expect(follows.length).toBeGreaterThan(5);
		expect(follows.every((one) => one.history.at(-1)?.text === "It is a lamp." && !/lamp|tall/iu.test(one.message))).toBe(true);
	});

	it("give a goal up that has no further wording", () => {
		const few = { ...VIEWERS, personas: [{ id: "one", weight: 1, opens: [""], closes: [""], habits: ["plain"] }], goals: VIEWERS.goals.slice(1) };
		const quiet = { ...few, session: { ...few.session, shares: { smallTalk: 0, others: 0, interruptions: 0, followUps: 0 } } };
		expect(
			simulateViewers(quiet, 30, 1)
				.map((one) => one.message)
				.sort(),
		).toEqual(["good day to you", "hello you", "hi there"]);
	});

	it("type as their habit says", () => {
		const habit = HabitSchema.parse({ id: "h", replace: { you: ["u"] }, replaceShare: 1, dropsPunctuation: 1, endings: ["~"] });
		expect(typeLike("do you know, now?", habit, createRandom(1))).toBe("do u know  now~");
	});
});

describe("a workspace's viewers", () => {
	const { goals, ...fixed } = VIEWERS;
	const files = {
		...Object.fromEntries(Object.entries(fixed).map(([name, value]) => [`viewers/${name}.json`, JSON.stringify(value)])),
		"viewers/light.json": JSON.stringify(goals),
	};

	it("are read from its files, or are not there", () => {
		expect(readViewers(files)).toEqual(VIEWERS);
		expect(readViewers({ "rooms.json": "{}" })).toBeNull();
	});

	it.each([
		["an unknown habit", { "viewers/personas.json": '[{"id":"x","habits":["nope"]}]' }],
		["no JSON", { "viewers/light.json": "[" }],
		["a goal that asks nothing", { "viewers/light.json": '[{"id":"x","category":"y","ask":[]}]' }],
	])("are refused with %s", (_what, change) => {
		expect(() => readViewers({ ...files, ...change })).toThrowError(expect.objectContaining({ reason: "viewers-invalid" }));
	});
});
