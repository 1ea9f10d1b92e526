import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, createModelWorld, failure, KEY, type ModelWorld, never } from "./testing/model-world";

const look = { name: "look", description: "Looks up.", inputSchema: { type: "object" } };

let world: ModelWorld;
beforeAll(async () => {
	world = await createModelWorld();
});
afterAll(() => world.close());

describe("an answer", () => {
	it("carries content, usage, reasoning and finish reason", async () => {
		const model = await world.modelOf("reasoning");
		expect(await model.complete(ask, never)).toMatchObject({
			content: "ready",
			reasoning: "let me think",
			toolCalls: [],
			usage: { prompt: 11, completion: 7, reasoning: 3 },
			finishReason: "stop",
			cached: false,
		});
	});

	it.each([
		["thinking", { content: "ready", reasoning: "let me think" }],
		["parts", { content: "ready", reasoning: null }],
		["empty", { content: null, toolCalls: [] }],
		["cut", { content: "rea", finishReason: "length" }],
	])("in the shape %s is understood", async (mode, expected) => {
		expect(await (await world.modelOf(mode)).complete(ask, never)).toMatchObject(expected);
	});

	it.each([
		["tool", { name: "look", arguments: { word: "ready" } }, undefined],
		["objectargs", { name: "look", arguments: { id: "p04" } }, undefined],
		["badargs", { name: "look", arguments: '{"id": "p04' }, "not JSON"],
		["listargs", { name: "look", arguments: [1] }, "not a JSON object"],
		["unknown", { name: "rm_rf", arguments: {} }, "no tool named rm_rf"],
	])("with the tool call %s says whether it can be made", async (mode, call, invalid) => {
		const answer = await (await world.modelOf(mode)).complete({ ...ask, tools: [look] }, never);
		expect(answer.finishReason).toBe("tool-calls");
		expect(answer.toolCalls).toHaveLength(1);
		expect(answer.toolCalls[0]).toMatchObject({ id: "call_a", ...call });
		if (invalid) expect(answer.toolCalls[0]?.invalid).toContain(invalid);
		else expect(answer.toolCalls[0]).not.toHaveProperty("invalid");
	});
});

describe("a request", () => {
	it("carries system, history with calls, tools, extra fields and the key", async () => {
		const model = await world.modelOf("ok", { key: { kind: "stored", value: KEY }, extraBody: { enable_thinking: false, max_tokens: null, temperature: 0.5 } });
		await world.server.takeLog();
		await model.complete(
			{
				system: "S",
				messages: [
					{ role: "user", content: "U" },
					{
						role: "assistant",
						content: "",
						toolCalls: [
							{ id: "c1", name: "look", arguments: { id: 1 } },
							{ id: "c2", name: "look", arguments: "{oops", invalid: "x" },
						],
					},
					{ role: "tool", toolCallId: "c1", name: "look", content: "{}" },
				],
				tools: [look],
				seed: 7,
				responseFormat: "json",
			},
			never,
		);
		const [entry] = await world.server.takeLog();
		expect(entry?.headers.authorization).toBe(`Bearer ${KEY}`);
		expect(entry?.body).toEqual({
			model: "ok",
			messages: [
				{ role: "system", content: "S" },
				{ role: "user", content: "U" },
				{
					role: "assistant",
					content: null,
					tool_calls: [
						{ id: "c1", type: "function", function: { name: "look", arguments: '{"id":1}' } },
						{ id: "c2", type: "function", function: { name: "look", arguments: '{"_unparsed":"{oops"}' } },
					],
				},
				{ role: "tool", tool_call_id: "c1", content: "{}" },
			],
			tools: [{ type: "function", function: { name: "look", description: "Looks up.", parameters: { type: "object" } } }],
			temperature: 0.5,
			response_format: { type: "json_object" },
			enable_thinking: false,
		});
		expect(model.describe().deterministic).toBe(false);
	});

	it("reads the key from a variable of the server, and says when it is not there", async () => {
		const model = await world.modelOf("ok", { key: { kind: "variable", name: "STUDIO_KEY_TEST" } });
		await world.server.takeLog();
		await model.complete(ask, never);
		expect((await world.server.takeLog())[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
		const absent = await world.make("ok", { key: { kind: "variable", name: "STUDIO_KEY_ABSENT" } });
		expect(absent.key).toEqual({ kind: "variable", name: "STUDIO_KEY_ABSENT", present: false });
		expect((await failure(world.service.provider.forEndpoint(absent.id))).reason).toBe("key-variable-missing");
	});
});

describe("a fault of the endpoint", () => {
	it.each([
		["html", "upstream", "endpoint-html", 1],
		["halfjson", "upstream", "endpoint-not-json", 2],
		["nochoice", "upstream", "endpoint-not-json", 1],
		["errorbody", "upstream", "endpoint-status", 1],
		["refused", "upstream", "endpoint-key-refused", 1],
		["missing", "upstream", "endpoint-not-found", 1],
		["limited", "rate-limited", "endpoint-rate-limited", 2],
		["limitedlong", "rate-limited", "endpoint-rate-limited", 1],
		["broken", "upstream", "endpoint-status", 2],
		["badgateway", "upstream", "endpoint-status", 2],
		["redirect", "upstream", "endpoint-redirects", 1],
		["silent", "timeout", "endpoint-timeout", 1],
		["drip", "timeout", "endpoint-timeout", 1],
		["endless", "upstream", "endpoint-endless", 1],
		["reset", "upstream", "endpoint-unreachable", 2],
	])("%s is a clear error, asked as often as it makes sense, without the key", async (mode, code, reason, requests) => {
		const model = await world.modelOf(mode, { key: { kind: "stored", value: KEY }, limits: { timeoutMs: 600, maxRetries: 1 } });
		await world.server.takeLog();
		const error = await failure(model.complete(ask, never));
		expect([error.code, error.reason]).toEqual([code, reason]);
		expect(error.fix).toBeTruthy();
		expect(JSON.stringify([error.message, error.params, error.fix, String(error.cause ?? "")])).not.toContain(KEY);
		expect(await world.server.takeLog()).toHaveLength(requests);
	});

	it.each(["halfjson", "broken", "limited", "reset", "badgateway"])("%s that passes is not noticed", async (mode) => {
		expect((await (await world.modelOf(`flaky:${mode}`)).complete(ask, never)).content).toBe("ready");
	});

	it("that is down is named", async () => {
		const error = await failure((await world.modelOf("ok", { baseUrl: "http://127.0.0.1:9", limits: { maxRetries: 0 } })).complete(ask, never));
		expect([error.reason, error.params.code]).toEqual(["endpoint-unreachable", "ECONNREFUSED"]);
	});

	it("tells the caller when a request waits here: before it starts, and before it is tried again", async () => {
		const waits: boolean[] = [];
		await (await world.modelOf("flaky:limited")).complete({ ...ask, system: "Wait.", onWait: (waiting) => waits.push(waiting) }, never);
		expect(waits).toEqual([true, false, true, false, true, false]);
	});

	it("ends when the caller gives up", async () => {
		const model = await world.modelOf("silent");
		const controller = new AbortController();
		const waiting = failure(model.complete(ask, controller.signal));
		controller.abort();
		expect((await waiting).code).toBe("cancelled");
	});
});
