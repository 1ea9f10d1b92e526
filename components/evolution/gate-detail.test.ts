import { describe, expect, it } from "vitest";
import { type GatePhrase, localizeGateDetail } from "./gate-detail";

const say = (phrase: GatePhrase, figures: Record<string, string>) => MARKS[phrase] ?? `<${[phrase, ...Object.values(figures)].join(" ")}>`;
const MARKS: Partial<Record<GatePhrase, string>> = { comma: "，", semicolon: "；", colon: "：" };
const categories = new Map([["stock", "Stock"]]);

describe("localizeGateDetail", () => {
	it.each([
		["t1: coverage 99.4 %", "T1：<coverage> 99.4 %"],
		["t1: coverage 99.4 %, flips on repeat 3.1 %", "T1：<coverage> 99.4 %，<noise> 3.1 %"],
		["t1 accuracy in stock, t3-tool effectiveness", "T1 <accuracy> in Stock，T3-TOOL <effectiveness>"],
		["t1: nothing to compare with yet; t2: no run", "T1：<nothingToCompare>；T2：<noRun>"],
		["read when the release is made", "<readLater>"],
		["t1: run when the release is made", "T1：<runLater>"],
		["accuracy 1 fixed, 0 broken; reading 1 of 3", "<accuracy> <flips 1 0>；<reading 1 3>"],
		["accuracy 1 fixed, 0 broken; effectiveness 2 fixed, 3 broken", "<accuracy> <flips 1 0>；<effectiveness> <flips 2 3>"],
		["all 3 readings are spent", "<spent 3>"],
		["t1 stock", "T1 Stock"],
		["2 acknowledged", "2 <acknowledged>"],
		["its own gate: fail, overridden", "<ownGate>：<fail>，<overridden>"],
		["something new", "something new"],
	])("%s", (detail, expected) => {
		expect(localizeGateDetail(detail, say, categories)).toBe(expected);
	});
});
