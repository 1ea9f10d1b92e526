import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { createModelService, type ModelService } from "@/server/models";
import { createSandbox } from "@/server/sandbox";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { createEndpointPolicy, toChatMessages } from "./endpoint-policy";
import { runEpisode } from "./run-episode";
import { manifest, sampleHarness, sampleRoom } from "./testing/sample-harness";

/* The whole path to a model: real HTTP to a real process that speaks the OpenAI protocol, well and badly. */

let database: TestDatabase;
let models: ModelService;
let child: ChildProcess;
let baseUrl: string;
const sandbox = createSandbox({ threads: 1 });

beforeAll(async () => {
	database = await createTestDatabase();
	models = createModelService(database.db);
	child = fork(fileURLToPath(new URL("../ops/bench/openai-server.mjs", import.meta.url)), ["0"], { execArgv: [] });
	const [port] = (await once(child, "message")) as [number];
	baseUrl = `http://127.0.0.1:${port}/v1`;
	const at = new Date();
	const title = { en: "W", zh: "W" };
	await database.db.workspace.create({ data: { id: "ws_1", slug: "w", title, language: "en", measure: "rubric", categories: [], createdAt: at } });
});
afterAll(async () => {
	child.kill();
	await models.close();
	await sandbox.close();
	await database.drop();
});

async function play(model: string, files: Record<string, string | null> = {}, message = "opening-hours please") {
	const limits = { timeoutMs: 500, maxRetries: 2 };
	const endpoint = await models.createEndpoint("ws_1", SERVICE_ACTORS.system, {
		name: `${model} ${Math.random().toString(36).slice(2, 8)}`,
		baseUrl,
		model,
		limits,
		allowPrivate: true,
	});
	const policy = createEndpointPolicy(await models.provider.forEndpoint(endpoint.id), { useCache: false });
	return runEpisode(
		{ sandbox, tools: { simulator: { execute: async () => ({ copies: 3 }) } } },
		{ harness: sampleHarness(files), policy, room: sampleRoom, message, seed: 1 },
	);
}

describe("a policy behind an endpoint", () => {
	it("loads a skill by name and replies", async () => {
		const trajectory = await play("ok", { "harness.yaml": manifest({ requireReplySkill: true }) });
		expect(trajectory).toMatchObject({ outcome: "replied", reply: "You asked: opening-hours please" });
		expect(trajectory.steps.map((step) => step.type)).toEqual(["message", "model", "skill", "model", "reply"]);
		expect(trajectory.steps[1]).toMatchObject({ usage: { prompt: 400, completion: 20 }, cached: false });
	});

	it.each(["limited", "broken"])("%s is asked again and then replies", async (model) => {
		expect(await play(model)).toMatchObject({ outcome: "replied" });
	});

	it.each(["html", "half", "hang"])("%s is an infra-error, never a reply", async (model) => {
		const trajectory = await play(model);
		expect(trajectory).toMatchObject({ outcome: "infra-error", reply: null });
		expect(trajectory.error).not.toContain(baseUrl);
	});

	it.each([
		["unknown-tool", "There is no tool"],
		["bad-arguments", "not JSON"],
	])("%s is answered with an error that the model can read, until the steps end", async (model, message) => {
		const trajectory = await play(model, { "harness.yaml": manifest({ maxSteps: 2 }) });
		expect(trajectory).toMatchObject({ outcome: "deadline", reply: null });
		const failed = trajectory.steps.filter((step) => (step.type === "tool" || step.type === "skill") && !step.ok);
		expect(failed).toHaveLength(2);
		expect(failed[0]).toMatchObject({ error: expect.stringContaining(message) });
	});

	it("endless text is stopped by the harness's own length hook", async () => {
		const hook =
			'export default { on: "reply", run({ reply, constraints }) { return reply.length > constraints.replyMaxChars ? retry("too long") : pass(); } };';
		const trajectory = await play("endless", { "hooks/40-length.js": hook });
		expect(trajectory).toMatchObject({ outcome: "blocked", reply: null });
		expect(trajectory.steps.filter((step) => step.type === "model")).toHaveLength(3);
	});

	it("a reply that addresses the judge is a reply like any other: text, nothing more", async () => {
		expect(await play("addresses-judge")).toMatchObject({ outcome: "replied", reply: expect.stringContaining("full marks") });
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
