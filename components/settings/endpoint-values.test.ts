import { describe, expect, it } from "vitest";
import { type EndpointValues, toInput, toValues } from "./endpoint-values";

const good: EndpointValues = { ...toValues(null), name: "qwen", baseUrl: "https://api.example.org/v1", model: "qwen-max", key: "sk-1" };

describe("the form of an endpoint", () => {
	it("sends what was typed", () => {
		const result = toInput({ ...good, timeoutSeconds: "1.5", extraBody: '{ "enable_thinking": false }' });
		expect(result).toMatchObject({
			input: { name: "qwen", key: { kind: "stored", value: "sk-1" }, limits: { timeoutMs: 1500, concurrency: 16 }, extraBody: { enable_thinking: false } },
		});
	});

	it.each<[string, Partial<EndpointValues>, string]>([
		["no name", { name: " " }, "name"],
		["no model", { model: "" }, "model"],
		["no address", { baseUrl: "api.example.org" }, "baseUrl"],
		["no key", { key: "" }, "key"],
		["a key with a space", { key: "sk 1" }, "key"],
		["a variable of another name", { keyKind: "variable", keyName: "PATH" }, "keyName"],
		["a list as extra fields", { extraBody: "[1]" }, "extraBody"],
		["half a JSON", { extraBody: "{" }, "extraBody"],
		["no concurrency", { concurrency: "0" }, "limits"],
		["a fraction", { maxRetries: "1.5" }, "limits"],
		["an empty number", { maxTokens: "" }, "limits"],
		["an endless timeout", { timeoutSeconds: "9999" }, "limits"],
	])("refuses %s", (_name, change, problem) => {
		const result = toInput({ ...good, ...change });
		expect("problems" in result && [...result.problems]).toEqual([problem]);
	});

	it("keeps a key that it does not know", () => {
		const values = toValues({
			id: "ep_1",
			name: "qwen",
			baseUrl: "https://api.example.org/v1",
			model: "m",
			key: { kind: "stored" },
			extraBody: { temperature: 0.5 },
			limits: { requestsPerMinute: 60, tokensPerMinute: 0, concurrency: 4, timeoutMs: 30_000, maxRetries: 2, maxTokens: 512 },
			allowPrivate: false,
			roles: [],
			updatedAt: new Date(0),
		});
		expect(toInput(values)).toMatchObject({
			input: { key: { kind: "keep" }, limits: { requestsPerMinute: 60, timeoutMs: 30_000 }, extraBody: { temperature: 0.5 } },
		});
	});
});
