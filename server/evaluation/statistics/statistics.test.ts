import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseScore } from "../contract";
import { compareRuns } from "./compare-runs";
import { binomialCdf, incompleteBeta, normalCdf, normalQuantile, tQuantile } from "./distributions";
import { adjustedT, agrestiMin, bootstrapMeans, wilson } from "./intervals";
import { pairedGap } from "./paired-gap";
import { minimumDetectableEffect } from "./power";
import { PUBLISHED, reconstruct } from "./published-series";
import { type EpisodeScore, noiseOf, scoreCases, standingOf, summarize } from "./summarize";
import { holm, mcnemarExact, signFlip } from "./tests";
import { verdictWord } from "./verdict";

describe("distributions against tables", () => {
	it.each([
		[0.975, 1.959963984540054],
		[0.95, 1.6448536269514722],
		[0.5, 0],
		[0.001, -3.090232306167813],
	])("normal quantile of %f", (p, z) => expect(normalQuantile(p)).toBeCloseTo(z, 9));
	it.each([
		[0, 0.5],
		[1.96, 0.9750021048517795],
		[-3, 0.0013498980316301],
		[4.5, 0.9999966023268753],
	])("normal cdf at %f", (x, p) => expect(normalCdf(x)).toBeCloseTo(p, 10));
	it.each([
		[0.975, 1, 12.706204736],
		[0.975, 10, 2.228138852],
		[0.95, 30, 1.697260887],
		[0.975, 484, 1.964882],
	])("t quantile p=%f df=%d", (p, df, t) => expect(tQuantile(p, df)).toBeCloseTo(t, 5));
	it("incomplete beta and binomial agree", () => {
		// P(X ≤ k) = I_{1−p}(n − k, k + 1)
		expect(binomialCdf(20, 6, 0.3)).toBeCloseTo(incompleteBeta(14, 7, 0.7), 10);
		expect(binomialCdf(20, 6, 0.3)).toBeCloseTo(0.6080098, 6);
		// P(X ≤ k) = I(1 − p; n − k, k + 1), on both sides of the mode and where the first terms underflow.
		for (const [n, k, p] of [
			[20, 15, 0.3],
			[3_000, 1_450, 0.5],
			[3_000, 1_560, 0.5],
			[500, 3, 0.04],
		] as const)
			expect(binomialCdf(n, k, p)).toBeCloseTo(incompleteBeta(n - k, k + 1, 1 - p), 9);
		expect([binomialCdf(5, -1, 0.5), binomialCdf(5, 5, 0.5), binomialCdf(5, 2, 0), binomialCdf(5, 2, 1)]).toEqual([0, 1, 1, 0]);
	});
});

describe("Wilson", () => {
	// Newcombe 1998, Statistics in Medicine 17, table I, method 3.
	it.each([
		[81, 263, 0.2553, 0.3662],
		[15, 148, 0.0624, 0.1605],
		[0, 20, 0, 0.1611],
		[1, 29, 0.0061, 0.1718],
	])("%d of %d", (k, n, low, high) => {
		const interval = wilson(k, n);
		expect(interval.low).toBeCloseTo(low, 4);
		expect(interval.high).toBeCloseTo(high, 4);
	});
	it("knows nothing of no cases", () => expect(wilson(0, 0)).toEqual({ value: 0, low: 0, high: 1 }));
});

describe("bootstrap", () => {
	it("comes near the normal interval for a large sample, and is the same every time", () => {
		const column = Float64Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 0 : 1));
		const [first] = bootstrapMeans([column]);
		const [again] = bootstrapMeans([column]);
		expect(first).toEqual(again);
		expect(first?.value).toBe(0.75);
		expect(first?.low).toBeCloseTo(0.75 - 1.96 * Math.sqrt((0.75 * 0.25) / 400), 2);
		expect(first?.high).toBeCloseTo(0.75 + 1.96 * Math.sqrt((0.75 * 0.25) / 400), 2);
	});
	it("draws whole cases: equal columns have equal intervals", () => {
		const column = Float64Array.from({ length: 50 }, (_, i) => (i % 3) / 2);
		const [a, b] = bootstrapMeans([column, column.slice()], 500);
		expect(a).toEqual(b);
	});
	it("does not depend on the order of the cases", () => {
		const rows = Array.from({ length: 90 }, (_, i) => [i % 3 === 0 ? 0 : 1, (i % 5) / 4] as const);
		const columnsOf = (some: typeof rows) => [0, 1].map((c) => Float64Array.from(some, (row) => row[c] as number));
		expect(bootstrapMeans(columnsOf(rows.toReversed()), 500)).toEqual(bootstrapMeans(columnsOf(rows), 500));
	});
});

describe("tests of a paired difference", () => {
	// 2·ΣC(n,i)/2ⁿ in exact fractions.
	it.each([
		[0, 5, 0.0625],
		[3, 12, 0.03515625],
		[10, 25, 0.01667384780012071],
		[1, 7, 0.0703125],
		[0, 0, 1],
	])("McNemar %d / %d", (fixed, broken, p) => expect(mcnemarExact(fixed, broken)).toBeCloseTo(p, 10));

	it("sign flip on Darwin's maize gives Fisher's count, 1,726 of 32,768 (The Design of Experiments, § 21)", () => {
		expect(signFlip([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48])).toBe(1726 / 32768);
	});
	it("equals McNemar for differences of ±1", () => {
		expect(signFlip([1, 1, 1, -1, 1, 1, 1, 1, 0, 0])).toBeCloseTo(mcnemarExact(7, 1), 12);
	});
	it("above 20 discordant pairs approximates the exact value and is never 0", () => {
		const differences = [...Array<number>(18).fill(1), ...Array<number>(7).fill(-1)];
		expect(Math.abs(signFlip(differences) - mcnemarExact(18, 7))).toBeLessThan(0.01);
		expect(signFlip(Array<number>(200).fill(1))).toBe(1 / 20_001);
		expect(signFlip(differences.toReversed())).toBe(signFlip(differences));
	});
	it("does not depend on the sign or the order", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 12 }), (differences) => {
				const p = signFlip(differences);
				expect(signFlip(differences.map((d) => -d))).toBe(p);
				expect(signFlip([...differences].reverse())).toBe(p);
			}),
		);
	});
	it("Holm", () => expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(9)))).toEqual([0.03, 0.06, 0.06, 0.02]));
});

describe("adjusted intervals", () => {
	it.each([
		[0, 5, 483, -0.0201655, -0.0004531],
		[86, 150, 1600, -0.0586829, -0.0212172],
		[0, 0, 100, -0.0192153, 0.0192153],
	])("Agresti–Min %d / %d of %d", (fixed, broken, n, low, high) => {
		const interval = agrestiMin(fixed, broken, n);
		expect(interval.low).toBeCloseTo(low, 5);
		expect(interval.high).toBeCloseTo(high, 5);
	});
	it("adjusted t, 6 losses of 483", () => {
		const interval = adjustedT([...Array<number>(6).fill(-1), ...Array<number>(477).fill(0)]);
		expect(interval.low).toBeCloseTo(-0.0237884, 5);
		expect(interval.high).toBeCloseTo(-0.0009538, 5);
	});
	it("never degenerates", () => expect(adjustedT(Array<number>(40).fill(0)).low).toBeLessThan(0));
});

describe("minimum detectable effect at 10 % discordance", () => {
	// Computed apart in exact arithmetic over the binomial number of discordant pairs.
	it.each([
		[110, 8.466, 8.5],
		[240, 5.892, 5.7],
		[483, 4.139, 4.2],
		[978, 2.906, 3.0],
	])("%d cases: %f points", (n, exact, stated) => {
		const points = (minimumDetectableEffect(n, 0.1) ?? 0) * 100;
		expect(points).toBeCloseTo(exact, 2);
		expect(Math.abs(points - stated)).toBeLessThan(0.2);
	});
	it("says so when nothing could be detected", () => expect(minimumDetectableEffect(20, 0.1)).toBeNull());
});

describe("words", () => {
	const base = { cases: 240, delta: 0, low: -0.01, high: 0.01, p: 1, discordant: 4, sameConditions: false };
	it.each([
		["identical", { sameConditions: true, discordant: 0, cases: 5 }],
		["too-few", { cases: 29, p: 0.001, delta: 0.2 }],
		["improved", { p: 0.04, delta: 0.01 }],
		["regressed", { p: 0.04, delta: -0.01 }],
		["slightly-better", { p: 0.04, delta: 0.0099 }],
		["slightly-worse", { p: 0.04, delta: -0.0099 }],
		["unchanged", { p: 0.05 }],
		["inconclusive", { p: 0.05, high: 0.03 }],
		["inconclusive", { p: 0.4, low: -0.03 }],
		["unchanged", { sameConditions: false, discordant: 0 }],
	] as const)("%s", (word, change) => expect(verdictWord({ ...base, ...change })).toBe(word));
});

const scores = (values: [accuracy: number, effectiveness: number, category?: string][], trials = 1): CaseScore[] =>
	values.map(([accuracy, effectiveness, category = "a"], i) => ({ caseId: `c${i}`, category, trials, accuracy, effectiveness }));

describe("comparison", () => {
	const options = { baseRunId: "b", runId: "r", oneTrial: true, sameConditions: false };
	it("lists flips, the largest first, and leaves out cases that lack a side", () => {
		const before = scores([
			[1, 1],
			[0, 0],
			[1, 0.5],
			[1, 1],
		]);
		const after = scores([
			[0, 1],
			[1, 0.5],
			[1, 1],
		]);
		const comparison = compareRuns(before, [...after].reverse(), options);
		expect(comparison.cases).toBe(3);
		expect(comparison.dimensions.accuracy).toMatchObject({ fixed: ["c1"], broken: ["c0"], delta: 0, p: 1 });
		expect(comparison.dimensions.effectiveness).toMatchObject({ fixed: ["c1", "c2"], broken: [] });
	});
	it("gives AVG the interval of the gap over the same pairs, seen from the other side", () => {
		const before = scores([
			[1, 1],
			[0, 0.5],
			[1, 0],
			[0, 0],
		]);
		const after = scores([
			[1, 0.5],
			[1, 1],
			[1, 0.5],
		]);
		const { avgDelta, avgInterval } = compareRuns(before, after, options);
		const { avg } = pairedGap(before, after);
		expect(avgDelta).toBeCloseTo(-avg.value, 12);
		expect(avgInterval?.low).toBeCloseTo(-avg.high, 12);
		expect(avgInterval?.high).toBeCloseTo(-avg.low, 12);
		expect(avgInterval?.low).toBeLessThan(avgDelta);
	});
	it("compares thirds in counts: three trials each, no rounding noise becomes a flip", () => {
		const third = scores([[1 / 3, 2 / 3]], 3);
		const same = scores([[0.1 + 0.1 + 0.13333333333333336, 0.6666666666666667]], 3);
		expect(compareRuns(third, same, { ...options, oneTrial: false }).dimensions.accuracy.fixed).toEqual([]);
	});
	it("raises a category alarm from 3 net losses and 15 % on", () => {
		const rows = (lost: number): [number, number, string][] => Array.from({ length: 20 }, (_, i) => [i < lost ? 0 : 1, 1, "small"]);
		const before = scores(rows(0));
		expect(compareRuns(before, scores(rows(2)), options).alarms).toEqual([]);
		expect(compareRuns(before, scores(rows(3)), options).alarms).toEqual([{ category: "small", dimension: "accuracy", fixed: 0, broken: 3, cases: 20 }]);
	});
	it("corrects categories by Holm", () => {
		const build = (lost: number) =>
			scores(Array.from({ length: 120 }, (_, i) => [i < lost ? 0 : 1, 1, ["a", "b", "c"][Math.floor(i / 40)] ?? "c"] as [number, number, string]));
		const row = compareRuns(build(0), build(6), options).perCategory[0];
		expect(row?.accuracy.p).toBeCloseTo(0.03125, 6);
		expect(row?.accuracy.pHolm).toBeCloseTo(0.09375, 6);
		expect(row?.accuracy.verdict).toBe("inconclusive");
	});
	it("is antisymmetric", () => {
		const value = fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 0.5, 1)) as fc.Arbitrary<[number, number]>;
		fc.assert(
			fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 60 }), (rows) => {
				const a = scores(rows.map(([x]) => x));
				const b = scores(rows.map(([, y]) => y));
				const there = compareRuns(a, b, options).dimensions;
				const back = compareRuns(b, a, options).dimensions;
				for (const dimension of ["accuracy", "effectiveness"] as const) {
					expect(there[dimension].fixed).toEqual(back[dimension].broken);
					expect(there[dimension].delta).toBeCloseTo(-back[dimension].delta, 12);
					expect(there[dimension].low).toBeCloseTo(-back[dimension].high, 9);
				}
			}),
		);
	});
});

describe("the published series, with the fewest discordant cases", () => {
	const rounds = PUBLISHED.rounds.map((round) => reconstruct(round));
	const compare = (from: number, to: number) =>
		compareRuns(rounds[from] ?? [], rounds[to] ?? [], { baseRunId: "b", runId: "r", oneTrial: true, sameConditions: false }).dimensions;
	it.each([
		[0, 82.4, 87.16],
		[1, 92.13, 84.16],
		[2, 92.55, 92.75],
		[3, 91.51, 91.51],
		[4, 90.89, 89.96],
	])("round %d reproduces the published figures", (round, accuracy, effectiveness) => {
		const mean = (key: "accuracy" | "effectiveness") => ((rounds[round] ?? []).reduce((sum, s) => sum + s[key], 0) / PUBLISHED.cases) * 100;
		expect(mean("accuracy").toFixed(2)).toBe(accuracy.toFixed(2));
		expect(mean("effectiveness").toFixed(2)).toBe(effectiveness.toFixed(2));
	});
	it("Evo.1 regresses in Effectiveness: −3.0, 15 discordant, p = 6e-5", () => {
		const { effectiveness } = compare(0, 1);
		expect(effectiveness).toMatchObject({ verdict: "regressed", fixed: [] });
		expect(effectiveness.broken).toHaveLength(15);
		expect((effectiveness.delta * 100).toFixed(1)).toBe("-3.0");
		expect(effectiveness.p).toBeCloseTo(6.1e-5, 6);
		expect(effectiveness.nonInferior).toBe(false);
	});
	it("Evo.3's Accuracy is unchanged against Evo.2: 5 broken, p = 0.0625, interval inside ±3", () => {
		const { accuracy } = compare(2, 3);
		expect(accuracy.broken).toHaveLength(5);
		expect(accuracy.p).toBeCloseTo(0.0625, 12);
		expect((accuracy.low * 100).toFixed(1)).toBe("-2.0");
		// −0.045 points: evaluation.md prints the end away from zero, since the interval does not hold it.
		expect(accuracy.high).toBeLessThan(0);
		expect(accuracy.verdict).toBe("unchanged");
	});
	it("Evo.3's Effectiveness regresses against Evo.2: 6 discordant, p = 0.031", () => {
		const { effectiveness } = compare(2, 3);
		expect(effectiveness.broken).toHaveLength(6);
		expect(effectiveness.p).toBeCloseTo(0.03125, 6);
		expect(effectiveness.verdict).toBe("regressed");
	});
	it("Evo.4 regresses against Evo.2 in both", () => {
		expect(compare(2, 4)).toMatchObject({ accuracy: { verdict: "regressed" }, effectiveness: { verdict: "regressed" } });
	});
});

const episode = (over: Partial<EpisodeScore>): EpisodeScore => ({
	caseId: "c1",
	category: "a",
	trial: 0,
	outcome: "replied",
	accuracy: 1,
	effectiveness: 1,
	skillSelection: null,
	toolRationality: null,
	hookRetries: 0,
	recovered: null,
	latencyMs: 10,
	promptTokens: 1,
	completionTokens: 1,
	reasoningToolTokens: 0,
	reasoningReplyTokens: 0,
	modelCalls: 1,
	cachedCalls: 0,
	...over,
});

describe("summary of a run", () => {
	it("averages trials first and never scores an infrastructure error", () => {
		const episodes = [
			episode({ trial: 0 }),
			episode({ trial: 1, accuracy: 0, effectiveness: 0.5 }),
			episode({ caseId: "c2", outcome: "infra-error", accuracy: null, effectiveness: null }),
			episode({ caseId: "c2", trial: 1 }),
		];
		expect(scoreCases(episodes)).toEqual([
			{ caseId: "c1", category: "a", trials: 2, accuracy: 0.5, effectiveness: 0.75 },
			{ caseId: "c2", category: "a", trials: 1, accuracy: 1, effectiveness: 1 },
		]);
		const summary = summarize(episodes, { planned: 4, trials: 2, cases: 2, wallMs: 5 });
		expect(summary).toMatchObject({ valid: 3, infraErrors: 1, coverage: 0.75, standing: "warning", noise: 1 });
		expect(summary.accuracy.value).toBe(0.75);
	});
	it("has no score when nothing is valid, and says indecisive", () => {
		const summary = summarize([episode({ outcome: "infra-error", accuracy: null, effectiveness: null })], { planned: 1, trials: 1, cases: 1, wallMs: 0 });
		expect(summary.standing).toBe("indecisive");
		expect(summary.accuracy).toEqual({ value: 0, low: 0, high: 1 });
	});
	it.each([
		[1, "decisive"],
		[0.95, "decisive"],
		[0.949, "warning"],
		[0.6, "warning"],
		[0.599, "indecisive"],
	] as const)("coverage %f is %s", (coverage, standing) => expect(standingOf(coverage)).toBe(standing));
	it("noise is unknown with one trial", () => expect(noiseOf([episode({}), episode({ caseId: "c2" })])).toBeNull());
});
