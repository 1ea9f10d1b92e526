import { describe, expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { logSoftmax } from "@/server/kernel/softmax";
import type { Rewards } from "../contract";
import { computeAdvantages } from "./advantages";
import { cotPenalty } from "./cot-penalty";
import { gspoLoss } from "./gspo";
import { reverseKl } from "./reverse-kl";

const row = (group: string, [accuracy, effectiveness, skill, tool]: readonly (number | null)[]): { group: string; rewards: Rewards } => ({
	group,
	rewards: { accuracy, effectiveness, skill, tool },
});
const GROUPS = [
	...[
		[1, 1, 1, 1],
		[1, 0.5, 0, 1],
		[0, 0.5, 1, 0],
		[0, 0, 0, 1],
	].map((values) => row("a", values)),
	...[
		[1, 1, 1, 1],
		[1, 1, 0, 1],
		[0, 0, 1, 1],
		[1, 0.5, 1, 1],
	].map((values) => row("b", values)),
];

/** Central difference of `f` in each coordinate. */
function differences(f: (at: number[]) => number, at: readonly number[], step = 1e-6): number[] {
	return at.map((_value, i) => {
		const moved = (by: number) => f(at.map((value, j) => (i === j ? value + by : value)));
		return (moved(step) - moved(-step)) / (2 * step);
	});
}

const expectClose = (actual: readonly number[], expected: readonly number[], digits = 5) => {
	expect(actual).toHaveLength(expected.length);
	for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, digits);
};

describe("the CoT penalty", () => {
	it.each([
		[0, 0],
		[100, 0],
		[101, -0.01],
		[150, -0.5],
		[200, -1],
		[5000, -1],
	])("of %d tokens is %d", (tokens, expected) => expect(cotPenalty(tokens)).toBeCloseTo(expected, 12));

	it("refuses bounds out of order and counts that are none", () => {
		expect(() => cotPenalty(10, { low: 5, high: 5 })).toThrow(RangeError);
		expect(() => cotPenalty(-1)).toThrow(RangeError);
		expect(() => cotPenalty(Number.NaN)).toThrow(RangeError);
	});
});

describe("GDPO advantages", () => {
	it("meets the check values of the method, summed and batch-normalised", () => {
		const advantages = computeAdvantages(GROUPS);
		expectClose(
			advantages.map(({ sum }) => sum),
			[3.456789, 0.499999, -1.499997, -2.45679, 1.783346, -0.21665, -2.305578, 0.738882],
		);
		expectClose(
			advantages.map(({ value }) => value),
			[1.681768, 0.243255, -0.729766, -1.195258, 0.867619, -0.105403, -1.121691, 0.359475],
		);
		expect(computeAdvantages(GROUPS, { batchNormalise: false }).map(({ value }) => value)).toEqual(advantages.map(({ sum }) => sum));
	});

	it("lets a dimension without a value contribute nothing, neither to its sample nor to the others", () => {
		const rows = [row("a", [1, null, null, 1]), row("a", [0, null, 1, 1]), row("a", [0, null, 0, 1])];
		const advantages = computeAdvantages(rows);
		expect(advantages[0]?.perDimension).toMatchObject({ effectiveness: 0, skill: 0, tool: 0 });
		// Two values that differ by 1: deviation √½, so ± ½ / √½.
		expect(advantages[1]?.perDimension.skill).toBeCloseTo(Math.SQRT1_2, 5);
		expect(computeAdvantages([row("alone", [1, 1, 1, 1])])[0]).toMatchObject({ sum: 0, dropped: true });
	});

	it("weighs dimensions", () => {
		const only = computeAdvantages(GROUPS, { weights: { effectiveness: 0, skill: 0, tool: 0 }, batchNormalise: false });
		expectClose(
			only.map(({ value }) => value),
			only.map(({ perDimension }) => perDimension.accuracy),
			12,
		);
	});

	it("drops by the advantage, never by the summed reward", () => {
		const equalSums = [
			[1, 0, 1],
			[0, 1, 1],
			[1, 1, 0],
			[0.5, 0.5, 1],
		].map((values) => row("a", [...values, null]));
		const advantages = computeAdvantages(equalSums);
		expect(new Set(advantages.map(({ sum }) => sum.toFixed(6))).size).toBeGreaterThan(1);
		expect(advantages.map(({ dropped }) => dropped)).toEqual([false, false, false, false]);
		const constant = [0.1, 0.1, 0.1].map((value) => row("b", [value, value, value, value]));
		expect(computeAdvantages([...equalSums, ...constant]).map(({ dropped }) => dropped)).toEqual([false, false, false, false, true, true, true]);
	});
});

describe("the GSPO loss", () => {
	const now = [-1.69315, -1, -0.59453];
	const sequences = [
		{ logProbabilities: now, oldLogProbabilities: [-1, -1, -1], advantages: [1, -1, 2] },
		{ logProbabilities: now, oldLogProbabilities: [-2, -2, -2], advantages: [1, -1, 2] },
	];

	it("meets the check values of the method", () => {
		const { loss, sequences: own, clipShare } = gspoLoss(sequences, { low: 0.2, high: 0.2 });
		expect(own[0]?.ratio).toBeCloseTo(0.9086, 4);
		expect(own[1]?.ratio).toBeCloseTo(2.4697, 4);
		expect(loss).toBeCloseTo(-0.4912, 4);
		expect(clipShare).toBe(0.5);
	});

	it("has the gradient of finite differences, with and without masks and clips", () => {
		const random = createRandom("gspo");
		for (let trial = 0; trial < 50; trial++) {
			const list = (n: number, scale: number) => Array.from({ length: n }, () => (random.next() - 0.5) * scale);
			const batch = [2, 4, 1].map((n) => ({
				logProbabilities: list(n, 2),
				oldLogProbabilities: list(n, 2),
				advantages: trial % 2 === 0 ? (random.next() - 0.5) * 4 : list(n, 4),
				mask: Array.from({ length: n }, (_value, i) => (i === 1 ? 0 : 1)),
			}));
			const result = gspoLoss(batch);
			batch.forEach((sequence, at) => {
				const loss = (logProbabilities: number[]) => gspoLoss(batch.map((other, i) => (i === at ? { ...sequence, logProbabilities } : other))).loss;
				expectClose(result.sequences[at]?.gradient ?? [], differences(loss, sequence.logProbabilities), 6);
			});
		}
	});

	it("gives no gradient to what is masked, and stands an empty mask", () => {
		const masked = gspoLoss([{ logProbabilities: [-1, -2], oldLogProbabilities: [-1, -1], advantages: 1, mask: [0, 0] }]);
		expect(masked.sequences[0]).toMatchObject({ ratio: 1, loss: 0, gradient: [0, 0] });
		expect(gspoLoss([])).toEqual({ loss: 0, clipShare: 0, sequences: [] });
		expect(() => gspoLoss([{ logProbabilities: [-1], oldLogProbabilities: [], advantages: 1 }])).toThrow(RangeError);
	});
});

describe("the reverse KL", () => {
	it("is 0 for equal policies, and takes the student's expectation", () => {
		expect(reverseKl([1, 2, 3], [11, 12, 13]).value).toBeCloseTo(0, 12);
		const p = [0.5, 0.5];
		const q = [0.9, 0.1];
		const expected = 0.5 * Math.log(0.5 / 0.9) + 0.5 * Math.log(0.5 / 0.1);
		expect(reverseKl(p.map(Math.log), q.map(Math.log)).value).toBeCloseTo(expected, 12);
		expect(() => reverseKl([1], [1, 2])).toThrow(RangeError);
	});

	it("has the gradient of finite differences", () => {
		const random = createRandom("kl");
		for (let trial = 0; trial < 50; trial++) {
			const list = () => Array.from({ length: 5 }, () => (random.next() - 0.5) * 6);
			const [logits, base] = [list(), list()];
			expectClose(
				reverseKl(logits, base).gradient,
				differences((at) => reverseKl(at, base).value, logits),
				6,
			);
		}
	});

	it("normalises without overflow", () => {
		const total = logSoftmax([1000, 1000, -1000]).reduce((sum, value) => sum + Math.exp(value), 0);
		expect(total).toBeCloseTo(1, 12);
	});
});
