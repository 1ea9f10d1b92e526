import { describe, expect, it } from "vitest";
import { chooseLocale } from "@/components/locale";
import { formatBytes, formatDelta, formatDuration, formatInterval, formatP, formatPoints, formatPValue, formatShare, langOf } from "./format";
import { sharedDomain } from "./verdict";

describe("figures", () => {
	it.each([
		[0.8243, 1, "82.4"],
		[0.8243, 2, "82.43"],
		[-0.03, 1, "−3.0"],
		[-0.0001, 1, "0.0"],
		[1, 1, "100.0"],
	])("%d with %d decimals reads %s", (value, digits, expected) => {
		expect(formatPoints(value, digits)).toBe(expected);
	});

	it.each([
		[0.101, "+10.1"],
		[-0.03, "−3.0"],
		[0.0004, "0.0"],
		[-0.0004, "0.0"],
		[0, "0.0"],
	])("a change of %d reads %s", (value, expected) => {
		expect(formatDelta(value)).toBe(expected);
	});

	it.each([
		[812, "812 B"],
		[4_321, "4 kB"],
		[999_400, "999 kB"],
		[999_600, "1.0 MB"],
		[13_400_000, "13.4 MB"],
	])("a file of %d bytes reads %s", (bytes, expected) => {
		expect(formatBytes(bytes)).toBe(expected);
	});

	it("joins an interval the way the language does", () => {
		expect(formatInterval(0.074, 0.128, "en")).toBe("7.4 … 12.8");
		expect(formatInterval(-0.02, 0.128, "zh")).toBe("−2.0～12.8");
	});

	it.each([
		[1e-9, "< 0.001"],
		[0.031, "0.031"],
		[0.0625, "0.063"],
		[0.5, "0.5"],
		[1, "1"],
	])("p = %d reads %s", (p, expected) => {
		expect(formatP(p)).toBe(expected);
	});

	it("states a p value without saying equal to less than", () => {
		expect([formatPValue(1e-9), formatPValue(0.031)]).toEqual(["p < 0.001", "p = 0.031"]);
	});

	it.each([
		[143, "143 ms"],
		[3940, "3.94 s"],
		[42_300, "42.3 s"],
		[125_000, "2 min 05 s"],
		[4_320_000, "1 h 12 min"],
	])("%d ms reads %s", (ms, expected) => {
		expect(formatDuration(ms, "en")).toBe(expected);
	});

	it("says a duration in the language", () => {
		expect([143, 3_940, 146_000, 4_320_000].map((ms) => formatDuration(ms, "zh"))).toEqual(["143 ms", "3.94 秒", "2 分 26 秒", "1 小时 12 分"]);
	});

	it("says a share with the language's space", () => {
		expect(formatShare(0.988, "zh")).toBe("98.8%");
		expect(formatShare(0.988, "en")).toBe("98.8\u202f%");
	});

	it("knows Chinese by its characters", () => {
		expect(langOf("周 Zhou")).toBe("zh-Hans");
		expect(langOf("Daniel")).toBe("en");
		expect(langOf("v2 · 34")).toBeUndefined();
	});
});

describe("sharedDomain", () => {
	it("always shows zero and the margin", () => {
		const [low, high] = sharedDomain([{ low: 0.05, high: 0.081 }]);
		expect(low).toBeLessThan(-0.03);
		expect(high).toBeCloseTo(0.09);
	});
});

describe("chooseLocale", () => {
	it.each([
		["zh", "en", "zh"],
		["fr", "zh-CN,zh;q=0.9,en;q=0.8", "zh"],
		[undefined, "en-GB,en;q=0.9,zh;q=0.8", "en"],
		[undefined, "fr, zh;q=0.3, en;q=0.7", "en"],
		[undefined, "fr, zh;q=0", "en"],
		[undefined, null, "en"],
	] as const)("cookie %s, header %s → %s", (cookie, header, expected) => {
		expect(chooseLocale(cookie, header)).toBe(expected);
	});
});
