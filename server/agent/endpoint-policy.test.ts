import { describe, expect, it } from "vitest";
import type { ChatModel, ChatRequest } from "@/server/models/contract";
import type { PolicyRequest } from "./contract";
import { createEndpointPolicy, toChatMessages } from "./endpoint-policy";

/* What goes to the model port and comes back; `server/llm-roles.test.ts` goes the whole way over HTTP. */

const tool = { name: "files.read", description: "Reads.", inputSchema: { type: "object" } };
const request: PolicyRequest = {
	systemPrompt: "S",
	tools: [tool],
	messages: [{ role: "user", content: "hi" }],
	view: { constraints: {}, promptBlocks: [], skillIndex: [], loadedSkills: [], tools: [tool], requireReplySkill: false },
	seed: 7,
	deadlineMs: 1000,
};

function recording(deterministic = true): ChatModel & { asked: ChatRequest[] } {
	const asked: ChatRequest[] = [];
	return {
		asked,
		describe: () => ({ name: "m", fingerprint: "f", deterministic, concurrency: 8 }),
		async complete(given) {
			asked.push(given);
			const toolCalls = [{ id: "c", name: "files_read", arguments: {} }];
			const usage = { prompt: 1, completion: 1, reasoning: 0 };
			return { content: null, toolCalls, reasoning: null, usage, finishReason: "tool-calls", latencyMs: 1, cached: false, requestHash: "h" };
		},
	};
}

describe("a policy behind an endpoint", () => {
	it("asks with the seed and the tools under names that endpoints allow, and maps the calls back", async () => {
		const model = recording();
		const onWait = () => undefined;
		const step = await createEndpointPolicy(model).act({ ...request, onWait }, new AbortController().signal);
		expect(model.asked).toEqual([
			{ system: "S", messages: [{ role: "user", content: "hi" }], tools: [{ ...tool, name: "files_read" }], temperature: 0, seed: 7, onWait },
		]);
		expect(step.toolCalls).toEqual([{ id: "c", name: "files.read", arguments: {} }]);
	});

	it.each([
		[true, 0, true],
		[true, 0.7, false],
		[false, 0, false],
	])("is deterministic where model (%s) and temperature (%d) are: %s", (model, temperature, deterministic) => {
		expect(createEndpointPolicy(recording(model), { temperature }).describe()).toMatchObject({ kind: "endpoint", deterministic, concurrency: 8 });
	});
});

describe("toChatMessages", () => {
	it("leaves reasoning out, maps names, and gives a hook's message to the model as a user's", () => {
		const messages = toChatMessages(
			[
				{ role: "user", content: "hi" },
				{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "a.b", arguments: { x: 1 } }], reasoning: "secret" },
				{ role: "tool", toolCallId: "1", name: "a.b", content: "{}", isError: false },
				{ role: "hook", content: "shorter" },
			],
			(name) => name.replace(".", "_"),
		);
		expect(messages).toEqual([
			{ role: "user", content: "hi" },
			{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "a_b", arguments: { x: 1 } }] },
			{ role: "tool", toolCallId: "1", name: "a_b", content: "{}" },
			{ role: "user", content: "[harness check] shorter" },
		]);
	});
});
