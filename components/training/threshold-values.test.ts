import { describe, expect, it } from "vitest";
import { ADVICE_RANGES, ADVICE_RULE, ADVICE_THRESHOLDS } from "@/server/training/advice-rule.contract";
import { AdviceRuleSchema } from "@/server/training/contract";
import { differingThresholds, type Threshold, thresholdRange, toAdviceRule, toThresholdValues } from "./threshold-values";

const typed = (change: Partial<Record<Threshold, string>>) => toAdviceRule({ ...toThresholdValues(ADVICE_RULE), ...change });

describe("thresholds as they are typed", () => {
	it("are the same when nothing was typed; the share is written in percent", () => {
		expect(toThresholdValues(ADVICE_RULE)).toMatchObject({ gapPoints: "3", gainPoints: "0.5", stuckShare: "30" });
		expect(typed({})).toEqual({ content: ADVICE_RULE });
		expect(typed({ stuckShare: " 45 ", gapPoints: "2.5" })).toEqual({ content: { ...ADVICE_RULE, stuckShare: 0.45, gapPoints: 2.5 } });
	});

	it.each<[Threshold, string]>([
		["gapPoints", ""],
		["gapPoints", "0"],
		["gapPoints", "three"],
		["gainPoints", "-1"],
		["rounds", "1.5"],
		["stuckShare", "101"],
		["attempts", "11"],
		["leastFailures", "0"],
		["ageDays", "1e9"],
	])("name %s “%s” as wrong", (name, text) => {
		expect(typed({ [name]: text })).toEqual({ problems: new Set([name]) });
	});

	it("hold what the server's schema holds, at both ends of each range", () => {
		for (const name of ADVICE_THRESHOLDS) {
			const { least, most } = thresholdRange(name);
			for (const end of [least, most]) {
				const result = typed({ [name]: end });
				expect("content" in result && AdviceRuleSchema.safeParse(result.content).success).toBe(true);
			}
			expect(AdviceRuleSchema.safeParse({ ...ADVICE_RULE, [name]: ADVICE_RANGES[name].most + 1 }).success).toBe(false);
		}
	});

	it("say which differ from the defaults", () => {
		expect(differingThresholds(ADVICE_RULE, ADVICE_RULE)).toEqual([]);
		expect(differingThresholds({ ...ADVICE_RULE, ageDays: 30, rounds: 4 }, ADVICE_RULE)).toEqual(["rounds", "ageDays"]);
	});
});
