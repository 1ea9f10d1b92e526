import { expect, it } from "vitest";
import { valueAt } from "./line-data";

it.each([
	[0, undefined],
	[1, 0.5],
	[19, 0.5],
	[20, 0.7],
	[400, 0.9],
])("at %d reads the last value measured up to there", (x, value) => {
	const points = [
		[1, 0.5],
		[20, 0.7],
		[40, 0.9],
	] as const;
	expect(valueAt({ tone: "first", points }, x)).toBe(value);
});
