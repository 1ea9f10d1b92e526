import { describe, expect, it } from "vitest";
import { points, pointsOrNull, scorePoints } from "./points";

const scores = {
	accuracy: { value: 0.82402, low: 0.77, high: 0.864567 },
	effectiveness: { value: 0.5, low: 0.4, high: 0.6 },
	avg: { value: 0.662011, low: 0.6, high: 0.7 },
};

describe("documents", () => {
	it.each([
		[0, 0],
		[1, 100],
		[0.824034, 82.4],
		[-0.030042918, -3],
		[1 / 3, 33.33],
	])("%f is %f points", (proportion, expected) => expect(points(proportion)).toBe(expected));

	it("keep nothing measured as null", () => expect(pointsOrNull(null)).toBeNull());

	it("give AVG as a number, with its interval beside it", () => {
		expect(scorePoints(scores, true)).toEqual({
			accuracy: { value: 82.4, low: 77, high: 86.46 },
			effectiveness: { value: 50, low: 40, high: 60 },
			avg: 66.2,
			avgInterval: { low: 60, high: 70 },
		});
	});

	it("say null, not 0, where no episode was valid", () => {
		expect(scorePoints(scores, false)).toEqual({ accuracy: null, effectiveness: null, avg: null, avgInterval: null });
	});
});
