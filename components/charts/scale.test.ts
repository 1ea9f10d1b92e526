import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf } from "./scale";

describe("axisOf", () => {
	it("gives the published curve the lines 80, 85, 90, 95", () => {
		const axis = axisOf([78.8, 85.5, 89.4, 94.2, 89.9, 94.6, 88.7, 93.7, 88, 93.1, 84.4, 89.8, 81.2, 87, 90.7, 94.7]);
		expect(axis.ticks).toEqual([80, 85, 90, 95]);
	});

	it.each([
		[[], 0, 100],
		[[0, 100], 0, 100],
	])("stays inside 0 to 100 for %j", (values, min, max) => {
		const axis = axisOf(values);
		expect(axis.min).toBe(min);
		expect(axis.max).toBe(max);
	});

	it("covers every value with two to seven lines", () => {
		fc.assert(
			fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 20 }), (values) => {
				const axis = axisOf(values);
				expect(axis.min).toBeLessThanOrEqual(Math.min(...values));
				expect(axis.max).toBeGreaterThanOrEqual(Math.max(...values));
				expect(axis.max).toBeGreaterThan(axis.min);
				expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
				expect(axis.ticks.length).toBeLessThanOrEqual(7);
				for (const tick of axis.ticks) expect(tick).toBeLessThanOrEqual(axis.max + 1e-6);
			}),
		);
	});
});
