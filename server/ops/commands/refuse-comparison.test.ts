import { describe, expect, it } from "vitest";
import { EXIT, printError } from "./output";
import { CompareOptions, readOptions } from "./read-options";
import { cannotCompare } from "./refuse-comparison";

const dev = { id: "run_1", number: 1, suiteKey: "t1", split: "dev", judgeVersionId: "j1" } as const;
const test = { ...dev, id: "run_2", number: 2, split: "test" } as const;

describe("two runs that cannot be compared", () => {
	const error = cannotCompare(dev, test, "The runs are over different suites or splits.", { base: [9, 8, 7, 6, 5, 4], run: [] });

	it("are named with what they measured, and with the runs that do compare", () => {
		expect(error.message).toBe("R-1 (t1 dev) and R-2 (t1 test) cannot be compared. The runs are over different suites or splits.");
		expect(error.fix).toBe("R-1 compares with R-9, R-8, R-7, R-6, R-5. R-2 has no other run to compare with yet: evaluate --suite t1 --split test makes one.");
	});

	it("say how to see those runs where no workspace was named", () => {
		expect(cannotCompare(dev, test, "Why.", null).fix).toContain("--workspace");
	});

	it("are bad use, not a comparison without a difference", () => {
		expect(printError(error, false)).toBe(EXIT.badUse);
	});
});

describe("options of compare", () => {
	it("refuse a condition that nobody would ever check", () => {
		expect(readOptions(CompareOptions, { failOn: "regressed" })).toEqual({ failOn: "regressed" });
		expect(() => readOptions(CompareOptions, { failOn: "regresed" })).toThrow("--fail-on: regressed");
	});
});
