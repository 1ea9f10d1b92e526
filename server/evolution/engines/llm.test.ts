import { describe, expect, it } from "vitest";
import type { Problem } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import type { ChatModel, ChatRequest } from "@/server/models/contract";
import { createBuiltInDiagnosis } from "./diagnose-built-in";
import { createBuiltInEditor } from "./edit-built-in";
import { createLlmDiagnosis } from "./llm-diagnosis";
import { createLlmEditor } from "./llm-editor";
import { GUARANTEE_FAILURES, LAMP_SHOP, PASSING } from "./testing";

const signal = new AbortController().signal;

/** A model behind the port that gives its answers in order; the wire has tests of its own in `models`. */
function answering(...answers: (string | Error)[]): ChatModel & { asked: ChatRequest[] } {
	const asked: ChatRequest[] = [];
	return {
		asked,
		describe: () => ({ name: "m", fingerprint: "f", deterministic: true }),
		complete: (request) => {
			asked.push(request);
			const answer = answers[Math.min(asked.length, answers.length) - 1] ?? null;
			if (answer instanceof Error) return Promise.reject(answer);
			return Promise.resolve({
				content: answer,
				toolCalls: [],
				reasoning: null,
				usage: { prompt: 1, completion: 1, reasoning: 0 },
				finishReason: answer?.endsWith("…") ? "length" : "stop",
				latencyMs: 1,
				cached: false,
				requestHash: "h",
			});
		},
	};
}

const finding = {
	category: "guarantee",
	failureType: "no-skill",
	component: "skill:brightness",
	title: "T",
	hypothesis: "H",
	confidence: 0.8,
	caseIds: ["g1", "g2", "made-up"],
};

describe("diagnosis with a model", () => {
	const diagnose = (model: ChatModel) =>
		createLlmDiagnosis(model, createBuiltInDiagnosis()).diagnose({ failed: GUARANTEE_FAILURES, total: 9, files: LAMP_SHOP, language: "en" }, signal);

	it("keeps only cases that were given and components that exist", async () => {
		const result = await diagnose(
			answering(JSON.stringify({ findings: [finding, { ...finding, component: "skill:invented" }, { ...finding, caseIds: ["g1"] }] })),
		);
		expect(result).toMatchObject({ engine: "m", notice: null });
		expect(result.value.map((f) => [f.component, f.caseIds, f.episodeIds])).toEqual([
			["skill:brightness", ["g1", "g2"], ["e-g1", "e-g2"]],
			[null, ["g1", "g2"], ["e-g1", "e-g2"]],
		]);
	});

	it("repairs once, with the reason", async () => {
		const model = answering("Sure! Here you are:", `\`\`\`json\n${JSON.stringify({ findings: [finding] })}\n\`\`\``);
		expect((await diagnose(model)).engine).toBe("m");
		expect(model.asked).toHaveLength(2);
		expect(model.asked[0]).toMatchObject({ responseFormat: "json", useCache: false });
		expect(model.asked[1]?.messages.at(-1)?.content).toContain("not JSON");
	});

	it.each(["{", "<html>", '{"findings": [{"category": 7}]}', '{"findings": []}'])("falls back with a notice on %j", async (answer) => {
		const result = await diagnose(answering(answer));
		expect(result.engine).toBe("built-in");
		expect(result.notice?.text).toContain("built-in");
		expect(result.notice?.reasons).toEqual([
			{ reason: expect.stringMatching(/^engine-(unusable|no-cause)$/), params: expect.objectContaining({ engine: "m" }) },
		]);
		expect(result.value).toHaveLength(1);
	});
});

describe("an engine whose endpoint fails", () => {
	const diagnose = (model: ChatModel) =>
		createLlmDiagnosis(model, createBuiltInDiagnosis()).diagnose({ failed: GUARANTEE_FAILURES, total: 9, files: LAMP_SHOP, language: "en" }, signal);

	it("gives way to the built-in one, and says what failed", async () => {
		const result = await diagnose(answering(new AppError("timeout", "m did not answer within 60 s.", { reason: "endpoint-timeout", params: { seconds: 60 } })));
		expect(result).toMatchObject({ engine: "built-in", notice: { text: expect.stringContaining("within 60 s") } });
		expect(result.notice?.reasons).toEqual([
			{ reason: "engine-failed", params: { engine: "m" } },
			{ reason: "endpoint-timeout", params: { seconds: 60 } },
		]);
	});

	it("says that an answer was cut off", async () => {
		expect((await diagnose(answering('{"findings": [{"category": "gua…'))).notice?.reasons).toEqual([{ reason: "engine-cut-off", params: { engine: "m" } }]);
	});

	it.each([new AppError("cancelled", "Cancelled."), new TypeError("a bug")])("hides no %s", async (error) => {
		await expect(diagnose(answering(error))).rejects.toBe(error);
	});
});

describe("editing with a model", () => {
	const input = {
		findings: [{ title: "T", hypothesis: "H", category: "guarantee", failureType: "no-skill", component: null, note: null, cases: GUARANTEE_FAILURES }],
		passing: PASSING,
		files: LAMP_SHOP,
		language: "en",
		seed: 1,
	};
	const edit = (model: ChatModel) => createLlmEditor(model, createBuiltInEditor()).edit(input, signal);
	const good = {
		summary: "A guarantee rule",
		changes: [
			{ path: "skills/brightness/SKILL.md", content: `${LAMP_SHOP["skills/brightness/SKILL.md"]}- When someone asks for the guarantee: answer “Two years.”\n` },
		],
		predictedFixes: ["g1", "made-up"],
	};

	it("takes an edit that the harness accepts, with the predictions about known cases", async () => {
		const result = await edit(answering(JSON.stringify(good)));
		expect(result).toMatchObject({ engine: "m", notice: null, value: { manifest: { predictedFixes: ["g1"], files: ["skills/brightness/SKILL.md"] } } });
	});

	it("sends the validator's words back, twice at most, then takes the repair", async () => {
		const broken = { ...good, changes: [{ path: "skills/brightness/SKILL.md", content: "no front matter" }] };
		const model = answering("not JSON", JSON.stringify(broken), JSON.stringify(good));
		expect((await edit(model)).engine).toBe("m");
		expect(model.asked[1]?.messages.at(-1)?.content).toContain("not JSON");
		expect(model.asked[2]?.messages.at(-1)?.content).toContain("front matter");
	});

	it("asks the workspace's own validator, which knows handlers and connections", async () => {
		const unknown: Problem = { file: "tools/x.yaml", line: 1, column: 1, rule: "handler", message: "There is no handler x.", severity: "error" };
		const model = answering(JSON.stringify(good));
		const result = await createLlmEditor(model, createBuiltInEditor()).edit({ ...input, validate: async () => [unknown] }, signal);
		expect(result.engine).toBe("built-in");
		expect(model.asked[1]?.messages.at(-1)?.content).toContain("tools/x.yaml:1 There is no handler x.");
	});

	it.each([
		["a path outside", { ...good, changes: [{ path: "../../etc/passwd", content: "x" }] }],
		["a harness that does not validate", { ...good, changes: [{ path: "harness.yaml", content: "kind: [" }] }],
		["no change", { ...good, changes: [{ path: "prompts/role.md", content: LAMP_SHOP["prompts/role.md"] }] }],
		["another form", { edits: [] }],
	])("falls back with a notice on %s", async (_name, answer) => {
		const model = answering(JSON.stringify(answer));
		const result = await edit(model);
		expect(result.engine).toBe("built-in");
		expect(result.notice?.text).toContain("built-in");
		expect(model.asked).toHaveLength(3);
		expect(result.value?.changes["../../etc/passwd"]).toBeUndefined();
	});
});
