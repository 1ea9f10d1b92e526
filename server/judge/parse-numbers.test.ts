import { describe, expect, it } from "vitest";
import { digitsOf, parseChineseNumeral, parseNumbers } from "./parse-numbers";

describe("parseChineseNumeral", () => {
	it.each([
		["九十九", 99],
		["十二", 12],
		["两百", 200],
		["一百二", 120],
		["一百零二", 102],
		["三千五", 3500],
		["一万五", 15_000],
		["两万三千", 23_000],
		["三点五", 3.5],
		["二〇二六", 2026],
		["零", 0],
	])("%s is %d", (text, value) => {
		expect(parseChineseNumeral(text)).toBe(value);
	});
});

describe("parseNumbers", () => {
	it.each([
		["到手99.9元", [99.9]],
		["到手９９元", [99]],
		["九十九块两件", [99, 2]],
		["打8折", [8]],
		["抑菌率99%", [99]],
		["百分之五十的人", [50]],
		["晚上20:15开始", [20, 15]],
		["11月27日发", [11, 27]],
		["八点二十分", [8, 20]],
		["1,299元", [1299]],
		["1.5万人", [15_000]],
		["半小时", [0.5]],
		["一起来，十分好，第一次，万一坏了", []],
		["一个人一件", []],
		["卡在两个码之间", [2]],
		["统一发三通一达", []],
		["银卡券到今晚23:59，169元到手", [23, 59, 169]],
		["五十九一支，二十一件起", [59, 21]],
		["一百零九一瓶", [109]],
	])("reads %j", (text, values) => {
		expect(parseNumbers(text).map((said) => said.value)).toEqual(values);
	});

	it("says the unit", () => {
		expect(parseNumbers("48小时内发，8折").map((said) => said.unit)).toEqual(["小时", "折"]);
	});
});

describe("digitsOf", () => {
	it.each([
		["四十八小时", "48小时"],
		["百分之五十", "50%"],
		["一起看", "一起看"],
	])("%s becomes %s", (text, digits) => {
		expect(digitsOf(text)).toBe(digits);
	});
});
