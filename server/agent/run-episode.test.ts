import { afterAll, describe, expect, it, vi } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { createSandbox } from "@/server/sandbox";
import { type Step, type ToolExecutor, TrajectorySchema } from "./contract";
import { type EpisodeInput, runEpisode } from "./run-episode";
import { manifest, type Script, sampleHarness, sampleRoom, say, scriptedPolicy, toolWithRetries, use } from "./testing/sample-harness";

const sandbox = createSandbox({ threads: 1 });
afterAll(() => sandbox.close());

const shelf: ToolExecutor = {
	async execute({ args }) {
		if (args.title === "none") throw new AppError("bad-input", "No such book.");
		if (args.title === "crash") throw new TypeError("words of a case");
		if (args.title === "slow") return new Promise(() => undefined);
		return { title: args.title, copies: 3, shelf: "B2" };
	},
};
const hook = (on: string, body: string, failure = "closed") => `export default { on: "${on}", failure: "${failure}", run(input) { ${body} } };\n`;

async function play(script: Script, files: Record<string, string | null> = {}, rest: Partial<EpisodeInput> = {}) {
	const policy = scriptedPolicy(script);
	const seen: Step[] = [];
	const trajectory = await runEpisode(
		{ sandbox, tools: { simulator: shelf } },
		{ harness: sampleHarness(files), policy, room: sampleRoom, message: "Do you have Dune?", seed: 1, onStep: (step) => seen.push(step), ...rest },
	);
	expect(TrajectorySchema.parse(trajectory)).toEqual(trajectory);
	expect(seen).toEqual(trajectory.steps);
	return { trajectory, policy, steps: trajectory.steps.map(brief) };
}

/** A step in one short word, so that tables stay readable. */
function brief(step: Step): string {
	if (step.type === "hook") return `hook ${step.hook} ${step.outcome}${step.errorKind ? ` ${step.errorKind}` : ""}`;
	if (step.type === "model") return `model ${step.purpose}`;
	if (step.type === "tool") return `tool ${step.name} ${step.ok ? "ok" : "failed"}${step.fault ? ` ${step.fault}` : ""}`;
	if (step.type === "skill") return `skill ${step.name} ${step.ok ? "ok" : "failed"}`;
	if (step.type === "retry") return `retry ${step.reason}`;
	if (step.type === "error") return `error ${step.code}`;
	return step.type;
}

describe("runEpisode", () => {
	it("calls the binding under its own argument names, whatever the tool calls them, and so do hooks and the record", async () => {
		const renamed = `${toolWithRetries(0)}arguments: { wanted: title }\n`
			.replaceAll(/\btitle: \{/g, "wanted: {")
			.replace("required: [title]", "required: [wanted]");
		const { trajectory, steps } = await play(
			[use(["find_book", { wanted: "none" }]), use(["find_book", { title: "Dune" }]), use(["find_book", { wanted: "Dune" }]), say("Three.")],
			{
				"tools/find_book.yaml": renamed,
				"hooks/20-args.js": hook("tool-call", 'return input.args.title === "none" ? replace({ title: "Dune" }) : pass();'),
			},
		);
		expect(steps.filter((step) => step.startsWith("tool "))).toEqual(["tool find_book ok", "tool find_book failed", "tool find_book ok"]);
		const calls = trajectory.steps.flatMap((step) => (step.type === "tool" && step.ok ? [step.arguments] : []));
		expect(calls).toEqual([{ title: "Dune" }, { title: "Dune" }]);
	});

	it("does not blame a policy for an input schema that cannot be checked, only for arguments that go too deep", async () => {
		const harness = sampleHarness();
		const endless = harness.tools.map((entry) => ({ ...entry, tool: { ...entry.tool, inputSchema: { allOf: [{ $ref: "#" }] } } }));
		const script = [use(["find_book", { title: "Dune" }]), say("Yes.")];
		const broken = play(script, {}, { harness: { ...harness, tools: endless } });
		await expect(broken).rejects.toMatchObject({ code: "precondition", reason: "tool-schema-fault" });
		const deep = Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1);
		const { trajectory } = await play([use(["find_book", { title: deep }]), say("Sorry.")]);
		expect(trajectory).toMatchObject({
			outcome: "replied",
			steps: expect.arrayContaining([expect.objectContaining({ error: expect.stringMatching(/nested too deeply/) })]),
		});
	});

	it("discloses skills, calls tools and replies; the model sees each result", async () => {
		const { trajectory, policy, steps } = await play(
			[use(["load_skill", { name: "opening-hours" }]), use(["find_book", { title: "Dune" }]), say("Three copies on B2.")],
			{},
			{
				history: [
					{ role: "viewer", text: "Hi" },
					{ role: "agent", text: "Hello" },
				],
			},
		);
		expect(trajectory).toMatchObject({ outcome: "replied", reply: "Three copies on B2." });
		expect(steps).toEqual(["message", "model tool", "skill opening-hours ok", "model tool", "tool find_book ok", "model reply", "reply"]);
		const [first, second, third] = policy.requests;
		expect(first?.systemPrompt).toContain("the town library");
		expect(first?.systemPrompt).not.toContain("when asked for hours");
		expect(first?.tools.map((tool) => tool.name)).toEqual(["load_skill", "find_book"]);
		expect(first?.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
		expect(second?.view.loadedSkills[0]?.body).toContain("when asked for hours");
		expect(third?.messages.at(-1)).toMatchObject({ role: "tool", content: '{"title":"Dune","copies":3,"shelf":"B2"}', isError: false });
	});

	it.each<[string, Script, string[], string]>([
		["an unknown tool", [use(["fly", {}]), say("ok")], ["tool fly failed"], "There is no tool “fly”. There are: find_book."],
		["arguments against the schema", [use(["find_book", { name: 1 }]), say("ok")], ["tool find_book failed"], "must have required property"],
		["arguments against the pattern", [use(["find_book", { title: "<b>" }]), say("ok")], ["tool find_book failed"], "must match pattern"],
		["arguments that are a text", [use(["find_book", "{title:"]), say("ok")], ["tool find_book failed"], "must be a JSON object"],
		[
			"a call that the endpoint broke",
			[use(["find_book", "x", "The arguments are not JSON."]), say("ok")],
			["tool find_book failed"],
			"The arguments are not JSON.",
		],
		["an unknown skill", [use(["load_skill", { name: "x" }]), say("ok")], ["skill x failed"], "There is no skill “x”"],
		["a handler's own error", [use(["find_book", { title: "none" }]), say("ok")], ["tool find_book failed"], "No such book."],
		["a tool that never answers", [use(["find_book", { title: "slow" }]), say("ok")], ["tool find_book failed"], "did not answer within 200 ms"],
	])("gives the policy a readable error for %s", async (_name, script, expected, message) => {
		const { trajectory, policy, steps } = await play(script);
		expect(trajectory.outcome).toBe("replied");
		expect(steps).toEqual(["message", "model tool", ...expected, "model reply", "reply"]);
		const answer = policy.requests[1]?.messages.at(-1);
		expect(answer).toMatchObject({ role: "tool", isError: true });
		expect(JSON.parse(answer?.content ?? "{}").error).toContain(message);
	});

	it("logs where an executor is defective, without its words, which no policy reads either", async () => {
		const logged = vi.spyOn(logger, "error").mockReturnValue(undefined);
		const { policy } = await play([use(["find_book", { title: "crash" }]), say("ok")]);
		expect(JSON.parse(policy.requests[1]?.messages.at(-1)?.content ?? "{}").error).toBe("The tool failed.");
		const at = expect.arrayContaining([expect.stringContaining("run-episode.test.ts")]);
		expect(logged.mock.calls).toEqual([[{ tool: "books", error: "TypeError", at }, expect.any(String)]]);
		expect(JSON.stringify(logged.mock.calls)).not.toContain("words of a case");
		logged.mockRestore();
	});

	it.each<[string, string, string[], { outcome: string; reply: string | null }]>([
		["pass", "return pass()", ["hook 10 pass", "reply"], { outcome: "replied", reply: "long answer" }],
		["replace", "return replace(input.reply + '!')", ["hook 10 replace", "reply"], { outcome: "replied", reply: "long answer!" }],
		[
			"retry heeded",
			"return input.reply === 'short' ? pass() : retry('shorter')",
			["hook 10 retry", "retry hook:10", "model reply", "hook 10 pass", "reply"],
			{ outcome: "replied", reply: "short" },
		],
		["block", "return block('bad', 'Sorry.')", ["hook 10 block"], { outcome: "blocked", reply: "Sorry." }],
		["a loop", "for (;;);", ["hook 10 hook-error timeout"], { outcome: "blocked", reply: null }],
		["a throw", "throw new Error('x')", ["hook 10 hook-error throw"], { outcome: "blocked", reply: null }],
		["nonsense", "return 5", ["hook 10 hook-error invalid"], { outcome: "blocked", reply: null }],
		["a replacement of the wrong kind", "return replace(5)", ["hook 10 hook-error invalid"], { outcome: "blocked", reply: null }],
	])("reply hook: %s", async (_name, body, expected, ending) => {
		const { trajectory, steps } = await play([say("long answer"), say("short")], { "hooks/10.js": hook("reply", body) });
		expect(steps).toEqual(["message", "model reply", ...expected]);
		expect(trajectory).toMatchObject(ending);
	});

	it("an open hook that fails lets the reply go out, and a replacement feeds the next hook", async () => {
		const { trajectory, steps } = await play([say("a")], {
			"hooks/10.js": hook("reply", "return replace(input.reply + 'b')"),
			"hooks/20.js": hook("reply", "throw 1", "open"),
			"hooks/30.js": hook("reply", "return replace(input.reply + 'c')"),
		});
		expect(trajectory.reply).toBe("abc");
		expect(steps).toEqual(["message", "model reply", "hook 10 replace", "hook 20 hook-error throw", "hook 30 replace", "reply"]);
	});

	it.each([
		["closed", { outcome: "blocked", reply: null }, 3],
		["open", { outcome: "replied", reply: "no" }, 3],
	])("after the last retry a %s hook decides", async (failure, ending, requests) => {
		const { trajectory, policy } = await play([say("no")], { "hooks/10.js": hook("reply", "return retry('again')", failure) });
		expect(trajectory).toMatchObject(ending);
		expect(policy.requests).toHaveLength(requests);
		expect(policy.requests[1]?.messages.at(-1)).toEqual({ role: "hook", content: "again" });
	});

	it("input, tool-call, tool-result and skill hooks change what passes them", async () => {
		const { policy, trajectory } = await play([use(["find_book", { title: "dune" }], ["load_skill", { name: "opening-hours" }]), say("ok")], {
			"hooks/1.js": hook("input", "return replace(input.message.toUpperCase())"),
			"hooks/2.js": hook("tool-call", "input.args.title = 'Dune II'; return replace(input.args)"),
			"hooks/3.js": hook("tool-result", "return replace({ ...input.result, seen: input.args.title, room: input.room.title })"),
			"hooks/4.js": hook("skill", "return replace(input.body + input.skill.type)"),
		});
		expect(policy.requests[0]?.messages.at(-1)?.content).toBe("DO YOU HAVE DUNE?");
		const results = policy.requests[1]?.messages.filter((message) => message.role === "tool").map((message) => message.content);
		expect(JSON.parse(results?.[0] ?? "")).toMatchObject({ title: "Dune II", seen: "Dune II", room: "the town library" });
		expect(results?.[1]).toMatch(/reply$/);
		expect(trajectory.outcome).toBe("replied");
	});

	it("a tool-call hook may send a call back, block it, or break the arguments", async () => {
		const back = await play([use(["find_book", { title: "x" }]), say("ok")], { "hooks/1.js": hook("tool-call", "return retry('Ask first.')") });
		expect(back.steps).toEqual(["message", "model tool", "hook 1 retry", "model reply", "reply"]);
		expect(back.policy.requests[1]?.messages.at(-1)).toMatchObject({ content: '{"error":"Ask first."}', isError: true });
		const block = await play([use(["find_book", { title: "x" }])], { "hooks/1.js": hook("tool-call", "return block('no', 'Not today.')") });
		expect(block.trajectory).toMatchObject({ outcome: "blocked", reply: "Not today." });
		const broken = await play([use(["find_book", { title: "x" }]), say("ok")], { "hooks/1.js": hook("tool-call", "return replace({})") });
		expect(broken.steps).toContain("tool find_book failed");
	});

	it.each<[string, number, string[], string]>([
		["timeout", 0, ["tool find_book failed timeout"], "did not answer within 200 ms"],
		["timeout", 1, ["tool find_book failed timeout", "retry tool:find_book", "tool find_book ok"], "copies"],
		["malformed", 0, ["tool find_book failed malformed"], "not valid JSON"],
		["permission-denied", 3, ["tool find_book failed permission-denied"], "Permission denied."],
		["empty", 0, ["tool find_book ok empty"], "{}"],
		["stale", 0, ["tool find_book ok stale"], "asOf"],
	])("injects the fault %s with %i retries", async (kind, attempts, expected, content) => {
		const { policy, steps, trajectory } = await play(
			[use(["find_book", { title: "Dune" }]), say("ok")],
			{ "tools/find_book.yaml": toolWithRetries(attempts) },
			{ faults: [{ handler: "books", kind: kind as "timeout", times: 1 }] },
		);
		expect(steps).toEqual(["message", "model tool", ...expected, "model reply", "reply"]);
		expect(policy.requests[1]?.messages.at(-1)?.content).toContain(content);
		// The wait of an injected time-out is recorded without being waited for.
		if (kind === "timeout") expect(trajectory.durationMs).toBeGreaterThanOrEqual(200);
	});

	it("asks once for a reply skill where the harness requires one, and for words when a reply is empty", async () => {
		const files = { "harness.yaml": manifest({ requireReplySkill: true }) };
		const heeded = await play([say("hi"), use(["load_skill", { name: "opening-hours" }]), say("open")], files);
		expect(heeded.steps).toEqual([
			"message",
			"model reply",
			"hook studio:reply-skill retry",
			"retry hook:studio:reply-skill",
			"model tool",
			"skill opening-hours ok",
			"model reply",
			"reply",
		]);
		const stubborn = await play([say("hi")], files);
		expect(stubborn.trajectory).toMatchObject({ outcome: "replied", reply: "hi" });
		const empty = await play([say(" "), say("words")]);
		expect(empty.trajectory.reply).toBe("words");
	});

	it.each(["upstream", "rate-limited", "timeout", "unavailable"] as const)("%s of the endpoint is an infra-error", async (code) => {
		const { trajectory } = await play([new AppError(code, "The endpoint is down.")]);
		expect(trajectory).toMatchObject({ outcome: "infra-error", reply: null, error: "The endpoint is down." });
	});

	it("ends at the limit of steps, at the deadline, and on faults that use the time up", async () => {
		const steps = await play([use(["find_book", { title: "Dune" }])], { "harness.yaml": manifest({ maxSteps: 3 }) });
		expect(steps.trajectory).toMatchObject({ outcome: "deadline", reply: null });
		expect(steps.policy.requests).toHaveLength(3);
		const time = await play([() => new Promise(() => undefined)], {}, { deadlineMs: 30 });
		expect(time.trajectory).toMatchObject({ outcome: "deadline", error: "The deadline of 30 ms passed." });
		const faults = await play([use(["find_book", { title: "Dune" }])], {}, { deadlineMs: 150, faults: [{ handler: "books", kind: "timeout", times: 1 }] });
		expect(faults.trajectory.outcome).toBe("deadline");
	});

	it("throws when it is cancelled, also in the middle of a tool", async () => {
		const now = AbortSignal.abort();
		await expect(play([say("x")], {}, { signal: now })).rejects.toMatchObject({ code: "cancelled" });
		const controller = new AbortController();
		const script: Script = [
			() => {
				queueMicrotask(() => controller.abort());
				return use(["find_book", { title: "slow" }]);
			},
		];
		await expect(play(script, {}, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
	});

	it("gives hooks the trajectory so far without what only the studio reads", async () => {
		const body = "return replace(JSON.stringify(input.trajectory.map((step) => Object.keys(step).includes('usage') ? 'leak' : step.type)))";
		const { trajectory } = await play([use(["find_book", { title: "Dune" }]), say("x")], { "hooks/1.js": hook("reply", body) });
		expect(JSON.parse(trajectory.reply ?? "")).toEqual(["message", "model", "tool", "model"]);
	});
});
