import { describe, expect, it } from "vitest";
import { DEFAULT_ENVELOPE } from "@/server/augmentation";
import { validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles } from "@/server/harness/contract";
import { sampleHarness } from "@/server/harness/testing/sample-harness";
import { VariantPlanSchema } from "./contract";
import { MAX_VARIANTS, planSuite } from "./plan-suite";
import { createVariants, judgedVariant, rubricInForce } from "./prepare-variants";
import { pairedGap } from "./statistics";

const original = validateHarness(sampleHarness()).harness as Harness;
const variantsOf = (suite: "t2" | "t3-tool" | "t3-prompt", kept: HarnessFiles[] = []) =>
	planSuite(suite, DEFAULT_ENVELOPE, 1, null).map(({ plan }) => ({
		plan,
		variants: createVariants(
			plan,
			original,
			async (files) => kept.push(files),
			async () => new Map(),
		),
	}));

describe("suites under variants", () => {
	it("are contracts; seeds of two runs never meet; T2 has a row in words of its own", () => {
		for (const suite of ["t2", "t3-tool", "t3-prompt"] as const)
			for (const { plan } of planSuite(suite, DEFAULT_ENVELOPE, 3, null)) expect(VariantPlanSchema.parse(plan)).toEqual(plan);
		const [first, second] = [1, 2].map((seed) => planSuite("t2", DEFAULT_ENVELOPE, seed, null)[0]?.plan.seed ?? 0) as [number, number];
		expect(second - first).toBe(MAX_VARIANTS);
		expect(planSuite("t2", DEFAULT_ENVELOPE, 1, null).map(({ row, plan }) => [row, plan.book])).toEqual([
			["inside-envelope", "transforms"],
			["held-out-paraphrases", "held-out"],
		]);
	});
	it("give each trial one variant, made once and kept; T3 leaves what is not its own", async () => {
		const kept: HarnessFiles[] = [];
		const [tools] = variantsOf("t3-tool", kept);
		const [one, again, other] = await Promise.all([tools?.variants.of(0), tools?.variants.of(0), tools?.variants.of(1)]);
		expect(one).toBe(again);
		expect(one?.harness.treeId).not.toBe(other?.harness.treeId);
		expect(kept).toHaveLength(2);
		expect(one?.harness.prompts.map((prompt) => prompt.title)).toEqual(original.prompts.map((prompt) => prompt.title));
		expect(one?.mapping.constraints.replyMaxChars).toEqual({ from: 80, to: 80 });
	});
	it("inject one kind of fault a trial on every tool, and leave a case's own faults alone", () => {
		const [tools] = variantsOf("t3-tool");
		const kinds = [0, 1, 2, 3, 4].map((trial) => tools?.variants.faultsOf(trial, []));
		expect(new Set(kinds.map((faults) => faults?.[0]?.kind)).size).toBe(5);
		expect(kinds[0]).toEqual([{ handler: "look_up", kind: "timeout", times: 1 }]);
		const own = [{ handler: "x", kind: "stale" as const, times: 2 }];
		expect(tools?.variants.faultsOf(0, own)).toBe(own);
		expect(variantsOf("t2")[0]?.variants.faultsOf(0, [])).toEqual([]);
	});
	it("are judged by the original's names, with the limit in force", async () => {
		const [prompts] = variantsOf("t3-prompt");
		const all = await Promise.all(Array.from({ length: 12 }, (_, trial) => prompts?.variants.of(trial)));
		const moved = all.find((variant) => variant?.mapping.constraints.replyMaxChars?.to !== 80);
		if (!moved) throw new Error("no variant moved the limit");
		const rubric = [80, 30].map((value) => ({ kind: "max-chars" as const, value, dimension: "accuracy" as const }));
		expect(rubricInForce(rubric, moved)).toMatchObject([{ value: moved.mapping.constraints.replyMaxChars?.to }, { value: 30 }]);
		const [t2] = variantsOf("t2");
		const judged = { skills: original.skills.map(({ name, tags, type }) => ({ name, tags, type })), tools: [{ name: "look_up", handler: "look_up" }] };
		for (let trial = 0; trial < 8; trial++) {
			const variant = await t2?.variants.of(trial);
			if (variant)
				expect(
					judgedVariant(judged, variant)
						.skills.map((skill) => skill.name)
						.sort(),
				).toEqual(["greeting", ...variant.mapping.added.skills].sort());
		}
	});
});

describe("pairedGap", () => {
	const score = (caseId: string, accuracy: number, effectiveness: number) => ({ caseId, category: "c", trials: 1, accuracy, effectiveness });
	it("is base − run over the cases that both have, with an interval that never degenerates", () => {
		const gap = pairedGap([score("a", 1, 1), score("b", 1, 0.5), score("c", 0, 0)], [score("b", 0.5, 0.5), score("a", 1, 0)]);
		expect(gap.cases).toBe(2);
		expect([gap.accuracy.value, gap.effectiveness.value, gap.avg.value]).toEqual([0.25, 0.5, 0.375]);
		const same = Array.from({ length: 100 }, (_, i) => score(`c${i}`, 1, 1));
		const none = pairedGap(same, same);
		expect(none.avg.value).toBe(0);
		expect(none.avg.low).toBeLessThan(0);
		expect(none.avg.high).toBeGreaterThan(0);
	});
});
