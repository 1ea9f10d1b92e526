import { describe, expect, it } from "vitest";
import { ADVICE_RULE } from "../advice-rule.contract";
import type { AdviceEvidence } from "../contract";
import { decideRetraining, judgeFollowUp } from "./decide-retraining";

const calm: AdviceEvidence = {
	policy: { id: "pol_1", name: "hat", kind: "checkpoint" },
	checkpoint: { training: 1, trainingId: "train_1", commit: "c1", ageDays: 3 },
	harness: { commit: "c2", treeId: "t2" },
	distance: { inside: true, dimensions: [] },
	gap: { value: 0.01, low: -0.01, high: 0.03, cases: 120, runId: "run_2", baseRunId: "run_1" },
	earlyStop: { strikes: 0, stale: 1, patience: 2, stopped: false },
	edits: { rounds: 3, landings: 4, gain: { value: 0.02, low: 0.01, high: 0.03 }, episodes: 900, wallMs: 60_000 },
	stuck: { failures: 40, stuck: 4, attempts: 2 },
	rounds: 3,
};
const outside = { distance: { inside: false, dimensions: [] } };
const gap = { gap: { value: 0.04, low: 0.01, high: 0.07, cases: 120, runId: "run_2", baseRunId: "run_1" } };
const stopped = { earlyStop: { strikes: 2, stale: 0, patience: 2, stopped: true } };
const unpaid = { edits: { rounds: 3, landings: 4, gain: { value: 0, low: -0.01, high: 0.01 }, episodes: 900, wallMs: 60_000 } };
const stuck = { stuck: { failures: 40, stuck: 20, attempts: 2 } };
const old = { checkpoint: { training: 1, trainingId: "train_1", commit: "c1", ageDays: 400 } };
const decide = (...more: Partial<AdviceEvidence>[]) => decideRetraining(Object.assign({}, calm, ...more));

describe("edit or retrain", () => {
	it.each([
		["nothing", [], "keep-editing", []],
		["age alone", [old], "keep-editing", ["old"]],
		["outside the envelope", [outside], "retrain-advised", ["outside"]],
		["a gap", [gap], "retrain-advised", ["gap"]],
		["an early stop", [stopped], "retrain-advised", ["stopped"]],
		["edits that do not pay", [unpaid], "retrain-advised", ["unpaid"]],
		["failures that nothing mends", [stuck], "retrain-advised", ["stuck"]],
		["all that says editing is over", [stopped, unpaid, stuck], "retrain-advised", ["stopped", "unpaid", "stuck"]],
		["outside, and a gap", [outside, gap], "retrain-due", ["outside", "gap"]],
		["outside, and stopped", [outside, stopped], "retrain-due", ["outside", "stopped"]],
		["a gap, and edits that do not pay", [gap, unpaid, old], "retrain-due", ["gap", "unpaid", "old"]],
	] as const)("%s", (_name, more, state, signs) => {
		expect(decide(...more)).toMatchObject({ state, signs });
	});

	it.each([
		["the gap at its threshold", { gap: { ...gap.gap, value: 0.03 } }, ["gap"]],
		["the gap just below", { gap: { ...gap.gap, value: 0.0299 } }, []],
		["a large gap that may be chance", { gap: { ...gap.gap, value: 0.08, low: 0 } }, []],
		["a gain at its threshold", { edits: { ...unpaid.edits, gain: { value: 0.005, low: 0, high: 0.01 } } }, []],
		["no gain in a single round", { edits: { ...unpaid.edits, rounds: 1 } }, []],
		["a gain just below", { edits: { ...unpaid.edits, gain: { value: 0.0049, low: 0, high: 0.01 } } }, ["unpaid"]],
		["a stuck share at its threshold", { stuck: { failures: 10, stuck: 3, attempts: 2 } }, ["stuck"]],
		["a stuck share just below", { stuck: { failures: 100, stuck: 29, attempts: 2 } }, []],
		["too few failures to say", { stuck: { failures: 9, stuck: 9, attempts: 2 } }, []],
		["no failure at all", { stuck: { failures: 0, stuck: 0, attempts: 2 } }, []],
		["the age at its threshold", { checkpoint: { ...old.checkpoint, ageDays: 90 } }, ["old"]],
		["the age just below", { checkpoint: { ...old.checkpoint, ageDays: 89.9 } }, []],
	] as const)("%s", (_name, more, signs) => {
		expect(decide(more).signs).toEqual(signs);
	});

	it("says what is not known, and takes it for no sign", () => {
		const blank = decide({ checkpoint: null, distance: null, gap: null, earlyStop: null, edits: null, stuck: null });
		expect(blank).toMatchObject({ state: "keep-editing", signs: [], unknown: ["outside", "gap", "stopped", "unpaid", "stuck", "old"] });
	});

	it("says which single sign would change it, and it does", () => {
		expect(decide(gap).changes).toEqual([
			{ sign: "outside", direction: "comes", to: "retrain-due" },
			{ sign: "gap", direction: "goes", to: "keep-editing" },
			{ sign: "stopped", direction: "comes", to: "retrain-due" },
			{ sign: "unpaid", direction: "comes", to: "retrain-due" },
			{ sign: "stuck", direction: "comes", to: "retrain-due" },
		]);
		expect(decide().changes.every(({ direction, to }) => direction === "comes" && to === "retrain-advised")).toBe(true);
		expect(decide(gap, stopped).state).toBe("retrain-due");
		// Of two signs of the same kind neither alone matters.
		expect(decide(stopped, unpaid).changes.map(({ sign }) => sign)).toEqual(["outside", "gap"]);
	});
});

it.each([
	["keep-editing", { gain: 0.01, landings: 2, released: null }, "yes"],
	["keep-editing", { gain: 0.0099, landings: 2, released: null }, "no"],
	["keep-editing", { gain: null, landings: 0, released: null }, "open"],
	["retrain-advised", { gain: null, landings: 0, released: "v3" }, "yes"],
	["retrain-due", { gain: 0.001, landings: 2, released: null }, "yes"],
	["retrain-due", { gain: 0.03, landings: 2, released: null }, "no"],
	["retrain-advised", { gain: null, landings: 0, released: null }, "open"],
] as const)("%s, followed by %j: %s", (state, next, held) => {
	expect(judgeFollowUp(state, ADVICE_RULE, next)).toBe(held);
});
