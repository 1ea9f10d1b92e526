import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateEndpoint } from "./contract";
import { createModelWorld, failure, KEY, type ModelWorld } from "./testing/model-world";

let world: ModelWorld;
beforeAll(async () => {
	world = await createModelWorld();
});
afterAll(() => world.close());

describe("the connection test", () => {
	const test = async (model: string, more: Partial<CreateEndpoint> = {}) => world.service.testEndpoint("ws_1", (await world.make(model, more)).id);

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
		expect((await test("ok", { baseUrl: world.server.baseUrl.replace("http:", "https:") })).checks.at(-1)).toMatchObject({ id: "tls", reason: "tls-failed" });
		expect((await test("ok", { baseUrl: world.server.baseUrl.replace("/v1", "") })).checks.at(-1)).toMatchObject({ id: "http", reason: "path-missing" });
	});

	it("tells a model that is not there from an address where nothing is", async () => {
		expect((await test("missing")).checks.at(-1)).toMatchObject({ id: "model", reason: "model-missing", detail: "ok, tool, unloaded" });
		expect((await test("unloaded")).checks.at(-1)).toMatchObject({ id: "model", reason: "model-missing" });
		const unlisted = world.server.baseUrl.replace("/v1", "/unlisted");
		expect((await test("qwen", { baseUrl: unlisted })).checks.at(-1)).toMatchObject({
			id: "model",
			reason: "model-unknown",
			detail: "404: The model `qwen` does not exist.",
		});
	});

	it("is made for endpoints of the workspace only", async () => {
		const made = await world.make("ok");
		expect((await failure(world.service.testEndpoint("ws_2", made.id))).reason).toBe("endpoint-unknown");
	});
});
