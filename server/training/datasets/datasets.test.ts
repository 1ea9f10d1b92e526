import { describe, expect, it } from "vitest";
import { initialParameters, type TakenDecision, toCandidate, toFeatures } from "@/server/compact";
import { Forest } from "../rollouts/arena";
import type { Rollout } from "../rollouts/episode-tree";
import { cutRollout } from "../stages/train-rl";
import { LAMP_CASES, openLampShop } from "../testing/lamp-shop";
import { buildSftSet, toExample } from "./build-sft-set";
import { divideCases } from "./split-cases";

const { playground, stage } = openLampShop();
const signal = new AbortController().signal;
const build = (cases = LAMP_CASES, seed = 1) =>
	buildSftSet({ forest: new Forest(playground, signal), cases, stages: [stage], student: initialParameters(1), seed, signal });

function ruleOf({ decisions }: { decisions: readonly { input: TakenDecision["input"]; chosen: number }[] }): string | undefined {
	const taken = decisions.findLast(({ input }) => input.kind === "rule");
	return taken?.input.candidates[taken.chosen]?.id;
}

describe("the SFT set", () => {
	it("keeps only what the reward judge passed, the same each time, and counts the rest", async () => {
		const [set, again] = await Promise.all([build(), build()]);
		expect(again.counts).toEqual(set.counts);
		expect(set.examples.length).toBeGreaterThan(6);
		const { counts } = set;
		expect(counts.examples + counts.hopeless + counts.duplicates).toBe(LAMP_CASES.length);
		expect(Object.values(counts.rejected).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
		for (const example of set.examples) {
			const expected = LAMP_CASES.find((one) => one.key === example.caseKey)?.content.expect.skills?.[0];
			const opened = example.decisions.find(({ input }) => input.kind === "skill");
			expect(opened?.input.candidates[opened.chosen]?.id).toBe(expected === "light" ? "glow" : "parcels");
		}
	});

	it("begins under a variant with the rule that passed under the original, by the name that it has there", async () => {
		const alone = await build();
		const variant = { ...stage, id: "variant-0" };
		const both = await buildSftSet({
			forest: new Forest(playground, signal),
			cases: LAMP_CASES,
			stages: [stage, variant],
			student: initialParameters(1),
			seed: 1,
			signal,
		});
		expect(both.counts.rejected).toEqual(alone.counts.rejected);
		const passed = new Map(alone.examples.map((example) => [example.caseKey, ruleOf(example)]));
		const shown = both.examples.filter((example) => example.stage === "variant-0");
		expect(shown.map((example) => [example.caseKey, ruleOf(example)])).toEqual([...passed]);
	});

	it("takes equal examples once", async () => {
		const one = LAMP_CASES[0] as (typeof LAMP_CASES)[number];
		const { counts } = await build([one, { ...one, key: "copy" }]);
		expect(counts).toMatchObject({ examples: 1, duplicates: 1 });
	});

	const taken = (kind: "skill" | "rule", step: number): TakenDecision => ({
		input: {
			kind,
			situation: toFeatures(new Map([[1, 1]])),
			candidates: [toCandidate(kind, { id: "a", text: "a" }), toCandidate(kind, { id: "none", text: null })],
		},
		chosen: 0,
		logProbability: -0.1,
		step,
	});
	const retried: Rollout = {
		verdict: { accuracy: 1, effectiveness: 1, skillSelection: 1, toolRationality: null, failureType: null },
		reasoningTokens: { tool: 0, reply: 150 },
		failedSteps: new Set([1]),
		decisions: [taken("skill", 0), taken("rule", 1), taken("rule", 2)],
	};

	it("removes the turn that a hook sent back, or keeps it with weight 0", () => {
		const removed = toExample("c", "original", retried, false);
		expect(removed).toMatchObject({ retries: "removed" });
		expect(removed.decisions.map(({ weight }) => weight)).toEqual([1, 1]);
		const kept = toExample("c", "original", retried, true);
		expect(kept).toMatchObject({ retries: "kept" });
		expect(kept.decisions.map(({ weight }) => weight)).toEqual([1, 0, 1]);
		expect(toExample("c", "original", { ...retried, failedSteps: new Set() }, true).retries).toBe("none");
	});

	it("cuts a trajectory into two segments with their own rewards and penalty", () => {
		const samples = cutRollout("p", retried);
		expect(samples.map(({ segment, rewards, decisions }) => [segment, rewards, decisions.length])).toEqual([
			["tool", { skill: 1, tool: null }, 1],
			["reply", { accuracy: 0.5, effectiveness: 0.5 }, 2],
		]);
		expect(new Set(samples.map(({ group }) => group)).size).toBe(2);
	});
});

describe("the division of cases", () => {
	it("keeps a group on one side, and the sides apart", () => {
		const many = Array.from({ length: 400 }, (_, i) => ({
			...(LAMP_CASES[0] as (typeof LAMP_CASES)[number]),
			key: `k${i}`,
			groupKey: `g${Math.floor(i / 3)}`,
		}));
		const { sft, rl, sample } = divideCases({ dev: many, pool: [] });
		expect(sft.length + rl.length + sample.length).toBe(400);
		expect(Math.min(sft.length, rl.length, sample.length)).toBeGreaterThan(40);
		const groups = [sft, rl, sample].map((side) => new Set(side.map((one) => one.groupKey)));
		for (const [i, own] of groups.entries()) for (const other of groups.slice(i + 1)) expect([...own].filter((key) => other.has(key))).toEqual([]);
	});
});
