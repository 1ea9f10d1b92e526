import { expect, it } from "vitest";
import { wordAndIntervalDiffer } from "./verdict";

it.each([
	["inconclusive", 0.002, 0.064, true],
	["inconclusive", -0.01, 0.064, false],
	["unchanged", -0.02, -0.001, true],
	["improved", 0.01, 0.05, false],
	["improved", -0.001, 0.05, true],
	["slightly-worse", -0.009, -0.001, false],
	["identical", 0, 0, false],
	["too-few", 0.1, 0.4, false],
] as const)("%s with %d … %d", (verdict, low, high, expected) => {
	expect(wordAndIntervalDiffer({ verdict, low, high })).toBe(expected);
});
