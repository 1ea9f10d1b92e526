import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { setEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import type { ChatRequest, CreateEndpoint } from "./contract";
import { createModelService, guardedFetch, type ModelService } from "./index";
import { dispatcherFor } from "./private-address";
import { startOpenAiServer, type TestServer } from "./testing/start-openai-server";

const KEY = "sk-very-secret-key-123456";
const admin = { id: "u1", name: "Maya" };
const ask: ChatRequest = { system: "Be brief.", messages: [{ role: "user", content: "Say: ready" }] };
const look = { name: "look", description: "Looks up.", inputSchema: { type: "object" } };
const never = new AbortController().signal;

let database: TestDatabase;
let server: TestServer;
let service: ModelService;
let count = 0;

beforeAll(async () => {
	setEnvironment({ STUDIO_SECRET: "0123456789abcdef0123456789abcdef-x", STUDIO_KEY_TEST: KEY });
	[database, server] = await Promise.all([createTestDatabase(), startOpenAiServer()]);
	service = createModelService(database.db);
});
afterAll(async () => {
	server.stop();
	await service.close();
	await database.drop();
});

function settingsOf(model: string, more: Partial<CreateEndpoint> = {}): CreateEndpoint {
	const limits = { maxRetries: 1, timeoutMs: 1500, ...more.limits };
	return { name: `e ${++count}`, baseUrl: server.baseUrl, model, allowPrivate: true, ...more, limits };
}
const make = (model: string, more: Partial<CreateEndpoint> = {}) => service.createEndpoint("ws_1", admin, settingsOf(model, more));
async function modelOf(model: string, more: Partial<CreateEndpoint> = {}) {
	return service.provider.forEndpoint((await make(model, more)).id);
}
async function failure(promise: Promise<unknown>): Promise<AppError> {
	const error = await promise.then(
		(value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
		(caught: unknown) => caught,
	);
	if (!(error instanceof AppError)) throw error;
	return error;
}

describe("an answer", () => {
	it("carries content, usage, reasoning and finish reason", async () => {
		const model = await modelOf("reasoning");
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
		expect(await (await modelOf(mode)).complete(ask, never)).toMatchObject(expected);
	});

	it.each([
		["tool", { name: "look", arguments: { word: "ready" } }, undefined],
		["objectargs", { name: "look", arguments: { id: "p04" } }, undefined],
		["badargs", { name: "look", arguments: '{"id": "p04' }, "not JSON"],
		["listargs", { name: "look", arguments: [1] }, "not a JSON object"],
		["unknown", { name: "rm_rf", arguments: {} }, "no tool named rm_rf"],
	])("with the tool call %s says whether it can be made", async (mode, call, invalid) => {
		const answer = await (await modelOf(mode)).complete({ ...ask, tools: [look] }, never);
		expect(answer.finishReason).toBe("tool-calls");
		expect(answer.toolCalls).toHaveLength(1);
		expect(answer.toolCalls[0]).toMatchObject({ id: "call_a", ...call });
		if (invalid) expect(answer.toolCalls[0]?.invalid).toContain(invalid);
		else expect(answer.toolCalls[0]).not.toHaveProperty("invalid");
	});
});

describe("a request", () => {
	it("carries system, history with calls, tools, extra fields and the key", async () => {
		const model = await modelOf("ok", { key: { kind: "stored", value: KEY }, extraBody: { enable_thinking: false, max_tokens: null, temperature: 0.5 } });
		await server.takeLog();
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
		const [entry] = await server.takeLog();
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
		const model = await modelOf("ok", { key: { kind: "variable", name: "STUDIO_KEY_TEST" } });
		await server.takeLog();
		await model.complete(ask, never);
		expect((await server.takeLog())[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
		const absent = await make("ok", { key: { kind: "variable", name: "STUDIO_KEY_ABSENT" } });
		expect(absent.key).toEqual({ kind: "variable", name: "STUDIO_KEY_ABSENT", present: false });
		expect((await failure(service.provider.forEndpoint(absent.id))).reason).toBe("key-variable-missing");
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
		const model = await modelOf(mode, { key: { kind: "stored", value: KEY }, limits: { timeoutMs: 600, maxRetries: 1 } });
		await server.takeLog();
		const error = await failure(model.complete(ask, never));
		expect([error.code, error.reason]).toEqual([code, reason]);
		expect(error.fix).toBeTruthy();
		expect(JSON.stringify([error.message, error.params, error.fix, String(error.cause ?? "")])).not.toContain(KEY);
		expect(await server.takeLog()).toHaveLength(requests);
	});

	it.each(["halfjson", "broken", "limited", "reset", "badgateway"])("%s that passes is not noticed", async (mode) => {
		expect((await (await modelOf(`flaky:${mode}`)).complete(ask, never)).content).toBe("ready");
	});

	it("that is down is named", async () => {
		const error = await failure((await modelOf("ok", { baseUrl: "http://127.0.0.1:9", limits: { maxRetries: 0 } })).complete(ask, never));
		expect([error.reason, error.params.code]).toEqual(["endpoint-unreachable", "ECONNREFUSED"]);
	});

	it("tells the caller when a request waits here: before it starts, and before it is tried again", async () => {
		const waits: boolean[] = [];
		await (await modelOf("flaky:limited")).complete({ ...ask, system: "Wait.", onWait: (waiting) => waits.push(waiting) }, never);
		expect(waits).toEqual([true, false, true, false, true, false]);
	});

	it("ends when the caller gives up", async () => {
		const model = await modelOf("silent");
		const controller = new AbortController();
		const waiting = failure(model.complete(ask, controller.signal));
		controller.abort();
		expect((await waiting).code).toBe("cancelled");
	});
});

describe("the response cache", () => {
	it("answers a deterministic request once asked, also in another process, and any seed", async () => {
		const endpoint = await make("ok");
		const model = await service.provider.forEndpoint(endpoint.id);
		const first = await model.complete({ ...ask, seed: 1 }, never);
		await server.takeLog();
		expect(await model.complete({ ...ask, seed: 2 }, never)).toMatchObject({ content: "ready", cached: true, requestHash: first.requestHash });
		await service.close();
		const elsewhere = createModelService(database.db);
		const same = await elsewhere.provider.forEndpoint(endpoint.id);
		const many = await Promise.all([same.complete(ask, never), same.complete(ask, never), same.complete({ ...ask, system: "Other" }, never)]);
		expect(many.map((answer) => answer.cached)).toEqual([true, true, false]);
		expect(await server.takeLog()).toHaveLength(1);
		await elsewhere.close();
	});

	it("is passed by on request, with randomness, and for what was cut off", async () => {
		const model = await modelOf("ok");
		const cut = await modelOf("cut");
		await server.takeLog();
		for (const request of [
			{ ...ask, useCache: false },
			{ ...ask, temperature: 0.7 },
		])
			for (let i = 0; i < 2; i++) await model.complete(request, never);
		for (let i = 0; i < 2; i++) await cut.complete(ask, never);
		expect(await server.takeLog()).toHaveLength(6);
	});
});

describe("registering an endpoint", () => {
	it("never tells a key", async () => {
		const made = await make("ok", { key: { kind: "stored", value: KEY } });
		expect(made.key).toEqual({ kind: "stored" });
		const listed = await service.listEndpoints("ws_1");
		expect(JSON.stringify(listed)).not.toContain(KEY);
		expect(JSON.stringify(listed)).not.toContain("sealed");
		const row = await database.db.endpoint.findUniqueOrThrow({ where: { id: made.id } });
		expect(row.sealedKey).not.toContain(KEY);
		expect(JSON.stringify(await database.db.auditEntry.findMany())).not.toContain(KEY);
	});

	it("keeps the key while the host stays and clears it when it changes", async () => {
		const made = await make("ok", { key: { kind: "stored", value: KEY } });
		const { id, key: _key, roles: _roles, updatedAt: _at, ...same } = made;
		const kept = await service.updateEndpoint("ws_1", admin, { ...same, id, model: "other" });
		expect([kept.keyCleared, kept.endpoint.key.kind]).toEqual([false, "stored"]);
		const moved = await service.updateEndpoint("ws_1", admin, { ...same, id, baseUrl: "https://api.example.org/v1" });
		expect([moved.keyCleared, moved.endpoint.key.kind]).toEqual([true, "none"]);
	});

	it.each([
		["http://127.0.0.1:8000/v1", "private-address"],
		["http://localhost:8000/v1", "private-address"],
		["http://10.1.2.3/v1", "private-address"],
		["http://169.254.169.254/latest", "private-address"],
		["http://[::1]/v1", "private-address"],
		["http://[::ffff:10.0.0.1]/v1", "private-address"],
		["http://0x7f000001/v1", "private-address"],
		["http://metadata.google.internal/", "private-address"],
	])("refuses %s unless an admin allows it", async (baseUrl, reason) => {
		expect((await failure(service.createEndpoint("ws_1", admin, { ...settingsOf("ok"), baseUrl, allowPrivate: false }))).reason).toBe(reason);
	});

	it.each([
		["ftp://example.org/v1", {}],
		["https://user:pass@example.org/v1", {}],
		["not an address", {}],
		["https://example.org/v1?x=1", {}],
		["https://example.org/v1", { extraBody: { messages: [] } }],
		["https://example.org/v1", { extraBody: { stream: true } }],
		["https://example.org/v1", { key: { kind: "variable", name: "PATH" } }],
		["https://example.org/v1", { key: { kind: "stored", value: "two words" } }],
		["https://example.org/v1", { limits: { concurrency: 0 } }],
	])("refuses %s %o", async (baseUrl, more) => {
		await expect(service.createEndpoint("ws_1", admin, { ...settingsOf("ok"), ...more, baseUrl } as CreateEndpoint)).rejects.toThrow();
	});

	it("drops the path that people paste along", async () => {
		expect((await make("ok", { baseUrl: `${server.baseUrl}/chat/completions/` })).baseUrl).toBe(server.baseUrl);
	});

	it("gives roles to one endpoint each and keeps what plays one", async () => {
		const made = await make("ok");
		expect(await service.provider.forRole("ws_1", "diagnosis")).toBeNull();
		await service.assignRole("ws_1", admin, "diagnosis", made.id);
		expect((await service.provider.forRole("ws_1", "diagnosis"))?.describe().name).toBe(made.name);
		expect((await failure(service.deleteEndpoint("ws_1", admin, made.id))).reason).toBe("endpoint-in-use");
		expect((await failure(service.assignRole("ws_2", admin, "diagnosis", made.id))).reason).toBe("endpoint-unknown");
		await service.assignRole("ws_1", admin, "diagnosis", null);
		await service.deleteEndpoint("ws_1", admin, made.id);
		expect((await failure(service.provider.forEndpoint(made.id))).reason).toBe("endpoint-unknown");
	});

	it("takes a name once in a workspace", async () => {
		const made = await make("ok");
		expect((await failure(make("ok", { name: made.name }))).reason).toBe("endpoint-exists");
	});
});

describe("the connection test", () => {
	const test = async (model: string, more: Partial<CreateEndpoint> = {}) => service.testEndpoint("ws_1", (await make(model, more)).id);

	it("passes step by step on a server that works", async () => {
		const result = await test("tool");
		expect(result.checks.map((check) => [check.id, check.reason])).toEqual([
			["tcp", "connected"],
			["http", "status-ok"],
			["json", "json-ok"],
			["reply", "reply-ok"],
			["tools", "tools-ok"],
		]);
		expect(result.ok).toBe(true);
		expect(result.latencyMs).toBeGreaterThanOrEqual(0);
	});

	it.each([
		["ok", {}, "tools", "tools-unused"],
		["notools", {}, "tools", "tools-refused"],
		["empty", {}, "reply", "reply-empty"],
		["refused", { key: { kind: "stored", value: KEY } }, "http", "key-refused"],
		["missing", {}, "model", "model-missing"],
		["html", {}, "json", "html"],
		["halfjson", {}, "json", "not-json"],
		["nochoice", {}, "json", "no-choice"],
		["nomessage", {}, "json", "no-choice"],
		["nocalls", {}, "json", "no-choice"],
		["errorbody", {}, "json", "error-body"],
		["limited", {}, "http", "rate-limited"],
		["broken", {}, "http", "status-bad"],
		["redirect", {}, "http", "redirects"],
		["silent", { limits: { timeoutMs: 500 } }, "http", "too-slow"],
		["endless", {}, "http", "endless"],
		["reset", {}, "http", "broken-off"],
		["ok", { baseUrl: "http://127.0.0.1:9/v1" }, "tcp", "no-connection"],
		["ok", { baseUrl: "http://no-such-host.invalid/v1" }, "dns", "name-unknown"],
		["ok", { key: { kind: "variable", name: "STUDIO_KEY_ABSENT" } }, "key", "key-unreadable"],
	] as [string, Partial<CreateEndpoint>, string, string][])("of %s %o fails at %s: %s", async (model, more, id, reason) => {
		const result = await test(model, more);
		expect(result.ok).toBe(false);
		expect(result.checks.at(-1)).toMatchObject({ id, reason, ok: false });
		expect(result.checks.slice(0, -1).every((check) => check.ok)).toBe(true);
		expect(JSON.stringify(result)).not.toContain(KEY);
	});

	it("says that a server without TLS has none, and that a path is wrong", async () => {
		expect((await test("ok", { baseUrl: server.baseUrl.replace("http:", "https:") })).checks.at(-1)).toMatchObject({ id: "tls", reason: "tls-failed" });
		expect((await test("ok", { baseUrl: server.baseUrl.replace("/v1", "") })).checks.at(-1)).toMatchObject({ id: "http", reason: "path-missing" });
	});

	it("tells a model that is not there from an address where nothing is", async () => {
		expect((await test("missing")).checks.at(-1)).toMatchObject({ id: "model", reason: "model-missing", detail: "ok, tool, unloaded" });
		expect((await test("unloaded")).checks.at(-1)).toMatchObject({ id: "model", reason: "model-missing" });
		const unlisted = server.baseUrl.replace("/v1", "/unlisted");
		expect((await test("qwen", { baseUrl: unlisted })).checks.at(-1)).toMatchObject({
			id: "model",
			reason: "model-unknown",
			detail: "404: The model `qwen` does not exist.",
		});
	});

	it("is made for endpoints of the workspace only", async () => {
		const made = await make("ok");
		expect((await failure(service.testEndpoint("ws_2", made.id))).reason).toBe("endpoint-unknown");
	});
});

describe("connections of tools", () => {
	it("keep their headers sealed, and lose them with their host", async () => {
		const made = await service.createConnection("ws_1", admin, {
			name: "shop",
			kind: "http",
			url: "https://shop.example.org/api",
			headers: { authorization: KEY },
		});
		expect(made).toMatchObject({ name: "shop", hasHeaders: true });
		expect(JSON.stringify(await service.listConnections("ws_1"))).not.toContain(KEY);
		expect((await service.openConnection("ws_1", "shop")).headers).toEqual({ authorization: KEY });
		const base = { id: made.id, name: "shop", kind: "http" as const, headers: null };
		const same = await service.updateConnection("ws_1", admin, { ...base, url: "https://shop.example.org/v2" });
		expect([same.headersCleared, same.connection.hasHeaders]).toEqual([false, true]);
		const moved = await service.updateConnection("ws_1", admin, { ...base, url: "https://elsewhere.example.org" });
		expect([moved.headersCleared, moved.connection.hasHeaders]).toEqual([true, false]);
		expect((await failure(service.openConnection("ws_1", "nothing"))).reason).toBe("connection-unknown");
		await service.deleteConnection("ws_1", admin, made.id);
		expect(JSON.stringify(await database.db.auditEntry.findMany())).not.toContain(KEY);
	});

	it("refuse private addresses, header injection and bad names", async () => {
		const make = (more: object) => service.createConnection("ws_1", admin, { name: "x", kind: "mcp", url: "https://x.example.org", ...more });
		expect((await failure(make({ url: "http://192.168.0.1" }))).reason).toBe("private-address");
		await expect(make({ headers: { "x\r\ny": "1" } })).rejects.toThrow();
		await expect(make({ headers: { x: "1\r\nhost: y" } })).rejects.toThrow();
		await expect(make({ name: "../x" })).rejects.toThrow();
	});
});

describe("a guarded fetch", () => {
	it("reaches a private address only when allowed, judges names when they resolve, and follows no redirect", async () => {
		const url = `${server.baseUrl}/models`;
		expect((await guardedFetch(true)(url)).status).toBe(200);
		await expect(guardedFetch(false)(url)).rejects.toThrow(/private address/);
		// A name is judged by what it resolves to when the socket is opened, not only by how it is written.
		const named = await request(url.replace("127.0.0.1", "localhost"), { dispatcher: dispatcherFor(false) }).catch((error: Error) => error);
		expect(String(named)).toMatch(/private address/);
		await expect(guardedFetch(false)("http://[::1]:9/")).rejects.toThrow(/private address/);
		const redirecting = { method: "POST", body: JSON.stringify({ model: "redirect", messages: [] }) };
		await expect(guardedFetch(true)(`${server.baseUrl}/chat/completions`, redirecting)).rejects.toThrow();
	});
});
