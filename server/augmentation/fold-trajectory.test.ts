import { describe, expect, it } from "vitest";
import type { Step, Trajectory } from "@/server/agent/contract";
import type { VariantMapping } from "./contract";
import { foldTrajectory, keepsLimits } from "./fold-trajectory";

const mapping: VariantMapping = {
	skills: { greeting: "s-abcd" },
	tools: { look_up: "tool_xyz" },
	arguments: { cardId: "key" },
	rules: {},
	constraints: {},
	removed: { skills: [], rules: [] },
	added: { skills: ["weekly-review"] },
};
const at = { atMs: 0, durationMs: 1 };
const usage = { prompt: 1, completion: 1, reasoning: 0 };
const model = (name: string, args: unknown): Step => ({
	type: "model",
	...at,
	purpose: "tool",
	requestHash: "h",
	cached: false,
	usage,
	content: null,
	reasoning: null,
	toolCalls: [{ id: "c", name, arguments: args }],
	finishReason: "tool-calls",
});
const trajectory = (steps: Step[]): Trajectory => ({
	version: 1,
	treeId: "variant",
	policy: "p",
	seed: 1,
	message: "tool_xyz says s-abcd",
	history: [],
	steps,
	outcome: "replied",
	reply: "ok",
	durationMs: 1,
});

describe("foldTrajectory", () => {
	it("brings skills, tools and arguments back to their own names, and leaves words, added skills and the tree alone", () => {
		const folded = foldTrajectory(
			trajectory([
				model("load_skill", { name: "s-abcd" }),
				{ type: "skill", ...at, name: "s-abcd", ok: true },
				{ type: "skill", ...at, name: "weekly-review", ok: true },
				model("tool_xyz", { key: "7" }),
				{ type: "hook", ...at, hook: "10-x", event: "tool-call", target: "tool_xyz", outcome: "pass" },
				{ type: "tool", ...at, name: "tool_xyz", handler: "look_up", arguments: { cardId: "7" }, attempt: 1, ok: true },
				{ type: "retry", ...at, reason: "tool:tool_xyz", attempt: 1 },
			]),
			mapping,
		);
		expect(folded).toMatchObject({ treeId: "variant", message: "tool_xyz says s-abcd" });
		expect(folded.steps).toMatchObject([
			{ toolCalls: [{ name: "load_skill", arguments: { name: "greeting" } }] },
			{ name: "greeting" },
			{ name: "weekly-review" },
			{ toolCalls: [{ name: "look_up", arguments: { cardId: "7" } }] },
			{ target: "look_up" },
			{ name: "look_up", arguments: { cardId: "7" } },
			{ reason: "tool:look_up" },
		]);
	});
});

describe("keepsLimits", () => {
	const limit = (name: string, value: number, unit?: string) => ({ [name]: { value, min: 0, max: 100, ...(unit ? { unit } : {}) } });
	it.each([
		["as long as allowed", "四个汉字", limit("replyMaxChars", 4, "chars"), true],
		["one too long", "五个汉字。", limit("replyMaxChars", 4, "chars"), false],
		["too few words", "two words", limit("minWords", 3, "words"), false],
		["sentences", "One. Two! Three?", limit("maxSentences", 3, "sentences"), true],
		["a limit that cannot be counted", "x", limit("maxDays", 3, "days"), null],
		["no limit", "x", {}, null],
		["no reply", null, limit("replyMaxChars", 4, "chars"), null],
	])("%s", (_what, reply, constraints, kept) => {
		expect(keepsLimits(reply, constraints)).toBe(kept);
	});
});
