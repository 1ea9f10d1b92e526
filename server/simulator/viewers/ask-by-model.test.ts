import { describe, expect, it } from "vitest";
import type { ChatModel, ChatRequest } from "@/server/models/contract";
import { askByModel, countWays } from "./ask-by-model";
import { type Viewers, ViewersSchema } from "./contract";
import { drawViewer, simulateViewers } from "./simulate-viewers";

const VIEWERS: Viewers = ViewersSchema.parse({
	personas: [{ id: "new", habits: ["plain"] }],
	habits: [{ id: "plain" }],
	session: { shares: { smallTalk: 0, others: 0, interruptions: 0, followUps: 0 } },
	goals: Array.from({ length: 9 }, (_, i) => ({
		id: `goal-${String.fromCharCode(97 + i)}`,
		category: "light",
		ask: [`is {lamp} number ${i} bright`],
		slots: { lamp: [{ say: ["the tall lamp"], is: { room: "hall" } }] },
		rooms: ["{lamp.room}"],
		...(i === 0 ? { followUp: { before: { viewer: "what of {lamp}", agent: "It is a lamp." }, ask: ["and is it bright"] } } : {}),
	})),
});

/** A model that answers each request with a function of the goals that it was asked about. */
function modelOf(answer: (ids: string[], request: ChatRequest) => unknown) {
	const asked: string[][] = [];
	const model: ChatModel = {
		describe: () => ({ name: "m", fingerprint: "m1", deterministic: true }),
		async complete(request) {
			const { goals } = JSON.parse(request.messages[0]?.role === "user" ? request.messages[0].content : "") as { goals: { id: string }[] };
			const ids = goals.map(({ id }) => id);
			asked.push(ids);
			const usage = { prompt: 1, completion: 1, reasoning: 0 };
			return {
				content: JSON.stringify(answer(ids, request)),
				toolCalls: [],
				reasoning: null,
				usage,
				finishReason: "stop",
				latencyMs: 1,
				cached: false,
				requestHash: "h",
			};
		},
	};
	return { model, asked };
}

const signal = new AbortController().signal;

describe("ways to ask by a model", () => {
	it("stand beside the samples where they keep their marks, and are drawn by the same seeded process", async () => {
		const { model, asked } = modelOf((ids) => ({
			goals: ids.map((id) => ({
				id,
				ask: [`does {lamp} shine, ${id}`, "is the lamp bright", "is {lamp} or {other} bright", `Does {lamp} shine, ${id}`, " ", `${"x".repeat(300)}{lamp}`],
				followUp: ["so it shines?"],
			})),
		}));
		const more = await askByModel(VIEWERS, model, signal);
		expect(asked.map((ids) => ids.length)).toEqual([8, 1]);
		expect(more.goals.map((goal) => goal.ask)).toEqual(VIEWERS.goals.map((goal) => [...goal.ask, `does {lamp} shine, ${goal.id}`]));
		expect(more.goals[0]?.followUp?.ask).toEqual(["and is it bright", "so it shines?"]);
		expect(more.goals[1]?.followUp).toBeUndefined();
		expect(countWays(more) - countWays(VIEWERS)).toBe(10);
		const cases = simulateViewers(more, 18, 1);
		expect(simulateViewers(more, 18, 1)).toEqual(cases);
		expect(cases.filter((one) => one.message.startsWith("does the tall lamp shine"))).not.toEqual([]);
	});

	it("is told what was wrong with an answer, and goals without a usable one stay as they were", async () => {
		let calls = 0;
		const { model } = modelOf((ids, { messages }) => {
			calls += 1;
			if (messages.length > 1) expect(messages.at(-1)).toMatchObject({ content: expect.stringContaining("could not be used") });
			return ids.includes("goal-i") ? "no" : { goals: [] };
		});
		expect(await askByModel(VIEWERS, model, signal)).toEqual(VIEWERS);
		expect(calls).toBe(4);
	});
});

describe("one viewer", () => {
	it("is drawn by a seed, and any goal may come", () => {
		expect(drawViewer(VIEWERS, 3)).toEqual(drawViewer(VIEWERS, 3));
		expect(new Set(Array.from({ length: 60 }, (_, seed) => drawViewer(VIEWERS, seed).message)).size).toBe(9);
	});
});
