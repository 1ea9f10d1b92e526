import { describe, expect, it } from "vitest";
import type { VerdictWord } from "@/server/evaluation/contract";
import { countRound, EARLY_STOP_START, type EarlyStopState, effectOf, isEligible, type RoundComparison, recommendRound, reopen } from "./early-stop-state";

const compare = (accuracy: VerdictWord, effectiveness: VerdictWord, avgPoints = 0, nonInferior: [boolean, boolean] = [true, true]): RoundComparison => ({
	accuracy: { verdict: accuracy, delta: 0, nonInferior: nonInferior[0] },
	effectiveness: { verdict: effectiveness, delta: 0, nonInferior: nonInferior[1] },
	avgDelta: avgPoints / 100,
});

describe("what a round does to the early stop", () => {
	it.each<[VerdictWord, VerdictWord, number, string]>([
		["improved", "unchanged", 2, "anchor"],
		["improved", "improved", 5, "anchor"],
		["unchanged", "improved", 0.2, "anchor"],
		["improved", "slightly-worse", 1, "anchor"],
		["improved", "regressed", 3, "trade-off"],
		["regressed", "improved", -3, "trade-off"],
		["regressed", "unchanged", -1, "strike"],
		["unchanged", "regressed", 2, "strike"],
		["regressed", "regressed", -4, "strike"],
		["unchanged", "unchanged", 0.99, "stale"],
		["unchanged", "unchanged", 1, "none"],
		["inconclusive", "inconclusive", 1.4, "none"],
		["inconclusive", "unchanged", -2, "stale"],
		["slightly-better", "slightly-better", 0.6, "stale"],
		["identical", "identical", 0, "stale"],
		["too-few", "too-few", 0, "stale"],
	])("%s accuracy, %s effectiveness, AVG %f → %s", (a, e, avg, effect) => {
		expect(effectOf(compare(a, e, avg), 1)).toBe(effect);
	});
});

describe("counting rounds", () => {
	const rule = { deltaPoints: 1, patience: 2 };
	const run = (rounds: (RoundComparison | null)[], patience = 2) => {
		let state: EarlyStopState = EARLY_STOP_START;
		return rounds.map((comparison, i) => {
			const counted = countRound(state, { index: i + 1, comparison }, { ...rule, patience });
			state = counted.state;
			return { effect: counted.effect, ...state };
		});
	};
	const strike = compare("regressed", "unchanged", -2);
	const stale = compare("unchanged", "unchanged", 0);
	const better = compare("improved", "unchanged", 3);
	const trade = compare("improved", "regressed", 0);
	const gain = compare("inconclusive", "unchanged", 2);

	it("stops when strikes and stale rounds together reach the patience", () => {
		expect(run([strike, stale]).at(-1)).toMatchObject({ strikes: 1, stale: 1, stopped: true });
		expect(run([strike, stale], 3).at(-1)).toMatchObject({ stopped: false });
		expect(run([strike], 1).at(-1)).toMatchObject({ stopped: true });
	});

	it("a new anchor sets the count to 0; a trade-off and an insignificant gain leave it", () => {
		expect(run([strike, better, strike]).at(-1)).toEqual({ effect: "strike", anchor: 2, strikes: 1, stale: 0, stopped: false });
		expect(run([strike, trade]).at(-1)).toEqual({ effect: "trade-off", anchor: 0, strikes: 1, stale: 0, stopped: false });
		expect(run([stale, gain]).at(-1)).toEqual({ effect: "none", anchor: 0, strikes: 0, stale: 1, stopped: false });
	});

	it("an indecisive round changes nothing", () => {
		expect(run([strike, null]).at(-1)).toEqual({ effect: "none", anchor: 0, strikes: 1, stale: 0, stopped: false });
	});

	it("reopening starts the count again and keeps the anchor", () => {
		expect(reopen({ anchor: 2, strikes: 1, stale: 1, stopped: true })).toEqual({ anchor: 2, strikes: 0, stale: 0, stopped: false });
	});
});

describe("eligible and recommended", () => {
	it.each<[string, RoundComparison | null, boolean]>([
		["improved both", compare("improved", "improved"), true],
		["unchanged and non-inferior", compare("unchanged", "unchanged"), true],
		["one regressed", compare("improved", "regressed"), false],
		["not non-inferior", compare("improved", "inconclusive", 1, [true, false]), false],
		["indecisive run", null, false],
	])("%s → %s", (_name, comparison, eligible) => {
		expect(isEligible(comparison)).toBe(eligible);
	});

	it("takes the highest AVG among those that improved, the earlier of equals, null when none improved", () => {
		const better = compare("improved", "unchanged");
		expect(recommendRound([])).toBeNull();
		expect(recommendRound([{ index: 1, avg: 0.9, againstBaseline: compare("unchanged", "unchanged") }])).toBeNull();
		expect(
			recommendRound([
				{ index: 1, avg: 0.8, againstBaseline: better },
				{ index: 2, avg: 0.9, againstBaseline: better },
				{ index: 3, avg: 0.9, againstBaseline: better },
				{ index: 4, avg: 0.99, againstBaseline: compare("improved", "regressed") },
			]),
		).toBe(2);
	});
});
