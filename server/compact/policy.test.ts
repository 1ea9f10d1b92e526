import { describe, expect, it } from "vitest";
import type { AgentMessage, PolicyRequest, ToolCall } from "@/server/agent/contract";
import type { McpTool } from "@/server/harness/contract";
import { initialParameters } from "./learned/parameters";
import { createCompactPolicy } from "./policy";
import { routingUnder, simulateRouting } from "./simulate-routing";

/** An invented lamp shop, in Chinese: nothing of a sample workspace. */
const skills = [
	{
		name: "brightness",
		description: "回答亮度和瓦数。有人问“多亮”“几瓦”时使用。",
		type: "reply" as const,
		body: "- 当 有人问多亮、几瓦、亮不亮: 先调 find_lamp，再答“这盏{{watts}}瓦，{{tone}}光。”\n- 当 有人问能不能调光: 先调 find_lamp，再答“可以调{{steps}}档。”\n- 当 查不到: 答“灯的资料没查到，请看说明书。”\n- 不要 说“最亮”",
	},
	{
		name: "parcel",
		description: "回答寄送和包裹。有人问“几天到”“寄到哪”时使用。",
		type: "reply" as const,
		body: "- 当 有人问几天到、多久到: 先调 find_parcel 并带上 place，再答“寄到{{place}}要{{days}}天。”",
	},
	{ name: "humour", description: "开玩笑的分寸。", type: "strategy" as const, body: "- 当 有人开玩笑: 答“哈哈。”" },
];
const text = { type: "string" };
const tools: McpTool[] = [
	{
		name: "find_lamp",
		description: "查一盏灯",
		inputSchema: { type: "object", properties: { lamp: { ...text, description: "灯的编号或名称，例如 L07、2号灯" } } },
		outputSchema: {
			type: "object",
			properties: { watts: { type: "number", description: "瓦数" }, tone: { ...text, description: "光色" }, steps: { type: "integer", description: "档数" } },
		},
	},
	{
		name: "find_parcel",
		description: "查寄送",
		inputSchema: { type: "object", properties: { place: { ...text, description: "地方" } } },
		outputSchema: { type: "object", properties: { place: { ...text, description: "地方" }, days: { type: "integer", description: "几天" } } },
	},
];

function request(messages: AgentMessage[], rest: Partial<PolicyRequest["view"]> = {}): PolicyRequest {
	const view = {
		constraints: { replyMaxChars: 60 },
		promptBlocks: [{ id: "style", title: "风格", text: "- 不知道就说不知道，请顾客看说明书。" }],
		skillIndex: skills.map(({ name, description, type }) => ({ name, description, type })),
		loadedSkills: [] as { name: string; body: string }[],
		tools,
		requireReplySkill: true,
		...rest,
	};
	return { systemPrompt: "你是灯店的客服。不知道就说不知道，请顾客看说明书。", tools, messages, view, seed: 1, deadlineMs: 1000 };
}

const policy = createCompactPolicy();
const signal = new AbortController().signal;
const act = (input: PolicyRequest) => policy.act(input, signal);
const user = (content: string): AgentMessage => ({ role: "user", content });
const calls = (...toolCalls: ToolCall[]): AgentMessage => ({ role: "assistant", content: "", toolCalls });
const result = (call: ToolCall, value: unknown, isError = false): AgentMessage => ({
	role: "tool",
	toolCallId: call.id,
	name: call.name,
	content: JSON.stringify(value),
	isError,
});

/** Plays an episode: skills and tools answer from tables, until the policy replies. */
async function play(message: string, answers: Record<string, (args: Record<string, unknown>) => unknown>, history: AgentMessage[] = [], acting = policy) {
	const messages = [...history, user(message)];
	const loaded: { name: string; body: string }[] = [];
	const made: { name: string; args: Record<string, unknown> }[] = [];
	for (let i = 0; i < 10; i++) {
		const step = await acting.act(request(messages, { loadedSkills: loaded }), signal);
		if (step.content !== null) return { reply: step.content, loaded: loaded.map((skill) => skill.name), made, messages, decisions: step.decisions ?? [] };
		messages.push(calls(...step.toolCalls));
		for (const call of step.toolCalls) {
			const args = call.arguments as Record<string, unknown>;
			if (call.name === "load_skill") {
				const skill = skills.find((candidate) => candidate.name === args.name);
				if (skill) loaded.push({ name: skill.name, body: skill.body });
				messages.push(result(call, skill?.body ?? { error: "no such skill" }, !skill));
				continue;
			}
			made.push({ name: call.name, args });
			const value = answers[call.name]?.(args);
			messages.push(result(call, value, value !== null && typeof value === "object" && "error" in value));
		}
	}
	throw new Error("no reply");
}

const lamp = { find_lamp: () => ({ watts: 9, tone: "暖", steps: 4 }) };

describe("the compact policy", () => {
	it("opens the skill, looks up and fills the rule's wording", async () => {
		const { reply, loaded, made } = await play("这灯多亮啊", lamp);
		expect(reply).toBe("这盏9瓦，暖光。");
		expect(loaded[0]).toBe("brightness");
		expect(made).toEqual([{ name: "find_lamp", args: {} }]);
	});

	it("answers two questions with two rules", async () => {
		const { reply } = await play("这灯几瓦？能不能调光？", lamp);
		expect(reply).toContain("9瓦");
		expect(reply).toContain("4档");
	});

	it.each([
		["L07几瓦", { lamp: "L07" }],
		["2号灯几瓦", { lamp: "2号灯" }],
		["月影台灯几瓦", { lamp: "月影台灯" }],
		["2号前能到吗，几瓦", {}],
	])("fills arguments by shape and name: %s", async (message, args) => {
		expect((await play(message, lamp)).made[0]?.args).toEqual(args);
	});

	it("asks again without a guess that the tool does not know", async () => {
		const answers = { find_lamp: (args: Record<string, unknown>) => ("lamp" in args ? { error: `没有 ${String(args.lamp)}` } : { watts: 9, tone: "暖" }) };
		const { reply, made } = await play("咕噜咕噜几瓦", answers);
		expect(made.map((call) => call.args)).toEqual([{ lamp: "咕噜咕噜" }, {}]);
		expect(reply).toBe("这盏9瓦，暖光。");
	});

	it("retries a timeout once, then says what the skill has for a failure", async () => {
		const { reply, made } = await play("几瓦", { find_lamp: () => ({ error: "The tool timed out." }) });
		expect(made).toHaveLength(2);
		expect(reply).toBe("灯的资料没查到，请看说明书。");
	});

	it("says honestly that it found nothing where no rule is for a failure", async () => {
		const { reply } = await play("几天到", { find_parcel: () => ({ error: "Permission denied." }) });
		expect(reply).toContain("请您看说明书");
	});

	it("treats an empty and a stale result as no answer", async () => {
		expect((await play("几瓦", { find_lamp: () => ({}) })).reply).toContain("没查到");
		expect((await play("几瓦", { find_lamp: () => ({ watts: 5, tone: "冷", asOf: "2020-01-01" }) })).reply).toContain("没查到");
	});

	it("heeds a hook: shorter, without the words it quotes", async () => {
		const { messages, reply } = await play("这灯几瓦？能不能调光？", lamp);
		const loadedSkills = skills.slice(0, 1).map(({ name, body }) => ({ name, body }));
		const sentBack = (content: string) =>
			act(request([...messages, { role: "assistant", content: reply, toolCalls: [] }, { role: "hook", content }], { loadedSkills }));
		const short = await sentBack("回复太长，最多 12 字。");
		expect([...(short.content ?? "")].length).toBeLessThanOrEqual(12);
		expect((await sentBack("请不要说“暖光”。")).content).not.toContain("暖光");
	});

	it("takes the subject of a follow-up from the turn before", async () => {
		const { made } = await play("能不能调光", lamp, [user("月影台灯几瓦"), { role: "assistant", content: "这盏9瓦。", toolCalls: [] }]);
		expect(made[0]?.args).toEqual({ lamp: "月影台灯" });
	});

	it("is the same for every seed, and its log-probabilities are defined", async () => {
		const input = request([user("这灯多亮啊")]);
		const [a, b] = await Promise.all([act(input), act({ ...input, seed: 99 })]);
		expect(b.toolCalls).toEqual(a.toolCalls);
		for (const { logProbability, candidates } of a.decisions ?? []) {
			expect(logProbability).toBeLessThanOrEqual(0);
			expect(candidates).toBeGreaterThan(1);
		}
		expect(a.decisions?.length).toBeGreaterThan(0);
	});

	it("stops when it is told to", () => {
		const stop = new AbortController();
		stop.abort();
		expect(() => policy.act(request([user("几瓦")]), stop.signal)).toThrow();
	});

	it("answers in English, with placeholders kept where no tool gives anything", async () => {
		const skill = { name: "returns", description: 'Answers returns. Use it for "send it back".', type: "reply" as const };
		const body = "- When someone wants to send it back: answer “Go to {{Returns}} and press {{Send Back}}.”";
		const step = await act({
			...request([user("how do I send it back")], {
				skillIndex: [skill],
				loadedSkills: [{ name: "returns", body }],
				tools: [],
				constraints: {},
				promptBlocks: [],
			}),
			systemPrompt: "You help.",
			tools: [],
		});
		expect(step.content ?? "").toBe(step.content === null ? "" : "Go to {{Returns}} and press {{Send Back}}.");
	});
});

describe("simulateRouting", () => {
	it("goes where the policy goes", async () => {
		for (const message of ["这灯多亮啊", "几天到", "能不能调光"]) {
			const route = simulateRouting(message, skills, tools);
			const { decisions } = await play(message, { ...lamp, find_parcel: () => ({ place: "北", days: 2 }) });
			expect(decisions.find((decision) => decision.kind === "rule")?.chosen).toBe(`${route.rule?.skill}#${route.rule?.index}`);
		}
	});

	it("goes where the policy goes under learned weights", async () => {
		const parameters = initialParameters(7);
		// Weights that know nothing and look at no word: they go elsewhere than similarity does.
		parameters.scalars.fill(0);
		const learned = createCompactPolicy({ checkpoint: { parameters, digest: "test" } });
		const route = routingUnder(parameters);
		const elsewhere: boolean[] = [];
		for (const message of ["这灯多亮啊", "几天到", "能不能调光"]) {
			const { decisions } = await play(message, { ...lamp, find_parcel: () => ({ place: "北", days: 2 }) }, [], learned);
			const found = route(message, skills, tools);
			const chosen = decisions.find((decision) => decision.kind === "rule")?.chosen;
			expect(chosen).toBe(found.rule ? `${found.rule.skill}#${found.rule.index}` : "none");
			elsewhere.push(found.skills[0] !== simulateRouting(message, skills, tools).skills[0]);
		}
		expect(elsewhere).toContain(true);
	});
});
