import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { schemaChecker } from "@/server/harness";
import { env } from "@/server/kernel/env";
import { createSandbox } from "@/server/sandbox";
import { toOpenAiRecord } from "./export-openai";
import { toOtlp } from "./export-otel";
import { runEpisode } from "./run-episode";
import { sampleHarness, sampleRoom, say, scriptedPolicy, use } from "./testing/sample-harness";

const sandbox = createSandbox({ threads: 1 });
afterAll(() => sandbox.close());
const formats = path.resolve(env().STUDIO_TEST_DATA, "import-formats");

async function episode() {
	const harness = sampleHarness({
		"tools/find_book.yaml": null,
		"tools/find.book.yaml":
			"tool: { name: find.book, description: Finds., inputSchema: { type: object, properties: { title: { type: string } } } }\nbinding: { kind: simulator, handler: books }\n",
		"hooks/1.js": 'export default { on: "reply", run({ reply }) { return reply === "second" ? replace("final") : retry("again"); } };',
		"hooks/2.js": 'export default { on: "input", run({ message }) { return replace(message + "?"); } };',
		"hooks/3.js": 'export default { on: "tool-result", run({ result }) { return result ? replace({ ...result, extra: 1 }) : pass(); } };',
	});
	const policy = scriptedPolicy([
		{ ...use(["load_skill", { name: "opening-hours" }], ["find.book", { title: "Dune" }]), reasoning: "look first" },
		say("first"),
		say("second"),
	]);
	const trajectory = await runEpisode(
		{ sandbox, tools: { simulator: { execute: async () => ({ copies: 3 }) } } },
		{ harness, policy, room: sampleRoom, message: "Dune", history: [{ role: "agent", text: "Welcome" }], faults: [], seed: 3 },
	);
	const skillBody = (name: string) => harness.skills.find((skill) => skill.name === name)?.body ?? null;
	return { trajectory, policy, context: { systemPrompt: "SYS", tools: policy.requests[0]?.tools, skillBody } };
}

describe("exports of a trajectory", () => {
	it("OpenAI: the conversation that the policy saw, then the reply that went out", async () => {
		const { trajectory, context, policy } = await episode();
		const record = toOpenAiRecord(trajectory, context);
		expect(record.messages.map((message) => message.role)).toEqual([
			"system",
			"assistant",
			"user",
			"assistant",
			"tool",
			"tool",
			"assistant",
			"user",
			"assistant",
		]);
		expect(record.messages[2]?.content).toBe("Dune?");
		expect(record.messages[3]).toMatchObject({
			content: null,
			tool_calls: [
				{ id: "c0", type: "function", function: { name: "load_skill", arguments: '{"name":"opening-hours"}' } },
				{ id: "c1", function: { name: "find_book" } },
			],
		});
		const asked = policy.requests.at(-1)?.messages ?? [];
		expect(record.messages.slice(4, 6).map((message) => message.content)).toEqual(
			asked.filter((message) => message.role === "tool").map((message) => message.content),
		);
		expect(record.messages[7]?.content).toContain("again");
		expect(record.messages.at(-1)?.content).toBe("final");
		expect(record.tools?.map((tool) => tool.function.name)).toEqual(["load_skill", "find_book"]);
		expect(JSON.stringify(record)).not.toContain("look first");
		expect(JSON.stringify(toOpenAiRecord(trajectory, { ...context, withReasoning: true }))).toContain('"reasoning_content":"look first"');
	});

	it("OpenTelemetry: spans in one trace, nested under the agent, with the conventions' names", async () => {
		const { trajectory, context } = await episode();
		const otlp = toOtlp(trajectory, { ...context, startedAt: new Date(1_700_000_000_123), episodeId: "e1", agentName: "library" });
		const spans = otlp.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
		expect(spans.map((span) => span.name)).toEqual([
			"invoke_agent library",
			"hook 2",
			"chat scripted",
			"execute_tool load_skill",
			"execute_tool find.book",
			"hook 3",
			"chat scripted",
			"hook 1",
			"chat scripted",
			"hook 1",
		]);
		const [root, ...children] = spans;
		expect(root?.parentSpanId).toBeUndefined();
		expect(children.every((span) => span.parentSpanId === root?.spanId && span.traceId === root?.traceId)).toBe(true);
		expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length);
		expect(
			spans.every(
				(span) => /^[0-9a-f]{32}$/.test(span.traceId) && /^[0-9a-f]{16}$/.test(span.spanId) && BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano),
			),
		).toBe(true);
		expect(root?.startTimeUnixNano).toBe("1700000000123000000");
		expect(toOtlp(trajectory, { ...context, startedAt: new Date(1_700_000_000_123), episodeId: "e1", agentName: "library" })).toEqual(otlp);
	});

	it.skipIf(!fs.existsSync(formats))(
		"OpenTelemetry: messages and span fields agree with the published schemas (skipped without STUDIO_TEST_DATA)",
		async () => {
			const { trajectory, context } = await episode();
			const otlp = toOtlp(trajectory, { ...context, startedAt: new Date(0), episodeId: "e1", agentName: "library" });
			const read = (name: string) => schemaChecker(JSON.parse(fs.readFileSync(path.join(formats, "otel", name), "utf8")));
			const [input, output] = [read("gen-ai-input-messages.json"), read("gen-ai-output-messages.json")];
			const published = JSON.parse(fs.readFileSync(path.join(formats, "otel", "otlp.first2.jsonl"), "utf8").split("\n")[0] ?? "{}") as typeof otlp;
			const keysOf = (traces: typeof otlp) => Object.keys(traces.resourceSpans[0]?.scopeSpans[0]?.spans[0] ?? {});
			let checked = 0;
			for (const span of otlp.resourceSpans[0]?.scopeSpans[0]?.spans ?? []) {
				expect(keysOf(published)).toEqual(expect.arrayContaining(Object.keys(span)));
				for (const { key, value } of span.attributes) {
					if (!("stringValue" in value)) continue;
					if (key === "gen_ai.input.messages") expect(input(JSON.parse(value.stringValue))).toEqual({ ok: true });
					if (key === "gen_ai.output.messages") expect(output(JSON.parse(value.stringValue))).toEqual({ ok: true });
					if (key.endsWith("put.messages")) checked += 1;
				}
			}
			expect(checked).toBe(8);
		},
	);
});
