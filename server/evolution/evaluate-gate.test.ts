import { describe, expect, it } from "vitest";
import type { Comparison, VerdictWord } from "@/server/evaluation/contract";
import { GatePolicySchema, type HoldoutCounts } from "./contract";
import { evaluateGate, evaluateRollbackGate, type GateInput, type GateSuite, isReadyForHoldout } from "./evaluate-gate";

const dimension = (verdict: VerdictWord, delta = 0, nonInferior = true) => ({
	delta,
	low: delta - 0.02,
	high: delta + 0.02,
	p: 0.5,
	verdict,
	nonInferior,
	fixed: [],
	broken: [],
});

function comparison(accuracy = dimension("improved", 0.06), effectiveness = dimension("unchanged"), extra: Partial<Comparison> = {}): Comparison {
	return {
		baseRunId: "a",
		runId: "b",
		cases: 240,
		dimensions: { accuracy, effectiveness },
		avgDelta: 0.03,
		perCategory: [],
		alarms: [],
		invalid: null,
		...extra,
	};
}
const suite = (over: Partial<GateSuite> = {}): GateSuite => ({
	key: "t1",
	state: "done",
	coverage: 0.99,
	noise: null,
	comparison: comparison(),
	acknowledged: [],
	...over,
});
const holdout = (accuracy = { fixed: 4, broken: 1, delta: 0.03, p: 0.4 }): HoldoutCounts => ({
	cases: 100,
	accuracy,
	effectiveness: { fixed: 1, broken: 0, delta: 0.01, p: 1 },
});
const input = (over: Partial<GateInput> = {}): GateInput => ({
	policy: GatePolicySchema.parse({}),
	policyVersion: 3,
	suites: [suite()],
	holdout: holdout(),
	holdoutReadings: 1,
	...over,
});
const alarm = { category: "price", dimension: "accuracy" as const, fixed: 0, broken: 4, cases: 20 };
const inCategory = (verdict: VerdictWord) => [
	{ category: "price", cases: 40, accuracy: { ...dimension(verdict), pHolm: 0.01 }, effectiveness: { ...dimension("unchanged"), pHolm: 1 } },
];

describe("the release gate", () => {
	it.each<[string, GateInput, "pass" | "fail" | "inconclusive", string | null]>([
		["everything shown", input(), "pass", null],
		["no run of the critical suite", input({ suites: [] }), "fail", "suites-decisive"],
		["the suite was not run yet", input({ suites: [suite({ state: "none", coverage: null, comparison: null })] }), "inconclusive", "suites-decisive"],
		["the run is under way", input({ suites: [suite({ state: "running", comparison: null })] }), "inconclusive", "suites-decisive"],
		["coverage under the minimum", input({ suites: [suite({ coverage: 0.59 })] }), "inconclusive", "suites-decisive"],
		[
			"another judge",
			input({ suites: [suite({ comparison: comparison(undefined, undefined, { invalid: "two judge versions" }) })] }),
			"inconclusive",
			"suites-decisive",
		],
		[
			"a second critical suite is missing",
			input({ policy: GatePolicySchema.parse({ suites: { t1: "critical", t2: "critical" } }) }),
			"fail",
			"suites-decisive",
		],
		["a supporting suite is missing", input({ policy: GatePolicySchema.parse({ suites: { t1: "critical", t2: "supporting" } }) }), "pass", null],
		["no critical suite named", input({ policy: GatePolicySchema.parse({ suites: {} }) }), "fail", "suites-decisive"],
		[
			"a dimension regressed",
			input({ suites: [suite({ comparison: comparison(dimension("improved"), dimension("regressed", -0.03)) })] }),
			"fail",
			"no-regression",
		],
		[
			"a category regressed after Holm",
			input({ suites: [suite({ comparison: comparison(undefined, undefined, { perCategory: inCategory("regressed") }) })] }),
			"fail",
			"no-regression",
		],
		["a category too few", input({ suites: [suite({ comparison: comparison(undefined, undefined, { perCategory: inCategory("too-few") }) })] }), "pass", null],
		[
			"not shown non-inferior",
			input({ suites: [suite({ comparison: comparison(undefined, dimension("inconclusive", -0.02, false)) })] }),
			"inconclusive",
			"non-inferior",
		],
		["nothing improved", input({ suites: [suite({ comparison: comparison(dimension("unchanged")) })] }), "inconclusive", "improved"],
		["an open alarm", input({ suites: [suite({ comparison: comparison(undefined, undefined, { alarms: [alarm] }) })] }), "fail", "alarms-acknowledged"],
		[
			"an acknowledged alarm",
			input({ suites: [suite({ comparison: comparison(undefined, undefined, { alarms: [alarm] }), acknowledged: ["price"] })] }),
			"pass",
			null,
		],
		["holdout not read", input({ holdout: null, holdoutReadings: 0 }), "inconclusive", "holdout"],
		["holdout readings spent", input({ holdout: null, holdoutReadings: 3 }), "inconclusive", "holdout"],
		["holdout vetoes", input({ holdout: holdout({ fixed: 0, broken: 8, delta: -0.08, p: 0.008 }) }), "fail", "holdout"],
		["holdout worse by chance", input({ holdout: holdout({ fixed: 2, broken: 5, delta: -0.03, p: 0.45 }) }), "pass", null],
		["holdout switched off", input({ policy: GatePolicySchema.parse({ useHoldout: false }), holdout: null }), "pass", null],
	])("%s → %s", (_name, given, verdict, because) => {
		const result = evaluateGate(given);
		expect(result.verdict).toBe(verdict);
		if (because) expect(result.checks.find((c) => c.id === because)?.ok).not.toBe(true);
		expect(result.checks.every((c) => c.label !== "" && c.detail !== "")).toBe(true);
		expect(result.policyVersion).toBe(3);
	});

	it("says the noise between trials beside the coverage, where there is more than one trial", () => {
		const detail = (noise: number | null) => evaluateGate(input({ suites: [suite({ noise })] })).checks.find((c) => c.id === "suites-decisive")?.detail;
		expect(detail(null)).toBe("t1: coverage 99.0 %");
		expect(detail(0.031)).toBe("t1: coverage 99.0 %, flips on repeat 3.1 %");
	});

	it("spends a holdout reading only when everything else passes", () => {
		expect(isReadyForHoldout(evaluateGate(input({ holdout: null, holdoutReadings: 0 })))).toBe(true);
		expect(isReadyForHoldout(evaluateGate(input({ holdout: null, suites: [suite({ comparison: comparison(dimension("unchanged")) })] })))).toBe(false);
	});
});

describe("the gate of a rollback", () => {
	it("never blocks, and says what going back costs", () => {
		const result = evaluateRollbackGate({
			policyVersion: 1,
			restored: { name: "v1", verdict: "inconclusive", overridden: true },
			comparison: comparison(dimension("regressed", -0.05), dimension("unchanged")),
		});
		expect(result.verdict).toBe("pass");
		expect(result.checks.map((c) => [c.id, c.waived ?? false])).toEqual([
			["restored", false],
			["no-regression", true],
			["improved", true],
		]);
		expect(result.checks[1]?.detail).toBe("accuracy \u22125.0 regressed; effectiveness 0.0 unchanged");
	});
});
