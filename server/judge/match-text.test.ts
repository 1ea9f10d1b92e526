import { describe, expect, it } from "vitest";
import { says } from "./match-text";

describe("says", () => {
	it.each([
		["现在有货的是39、40、41。", "40", true],
		["有货的是 39 40 41", "41", true],
		["39，40，41都有", "40", true],
		["39、40、41", "3940", false],
		["共1,280元", "1280", true],
		["共1,280元", "280", false],
		["一共12,345,678元", "12345678", true],
		["货号 39,4012", "394012", false],
		["编号100，200，300", "200", true],
		["编号100，200，300", "100200300", false],
		["39,400,41", "39400", false],
		["满199，200个名额", "200个名额", true],
		["打138 0013 8000", "13800138000", true],
		["比例是百分之三点五", "3.5%", true],
		["比例是百分之三点五", "3%", false],
		["You can get a full refund within 7 days.", "refund", true],
		["You can get a full refund within 7 days.", "full refund", true],
		["All refunds are free.", "refund", true],
		["We have it in cold", "old", false],
		["We take care of it", "car", false],
		["iPhone 15 手机", "iphone15", true],
		["到手价：239 元！", "239元", true],
		["23:00 开始", "23:00", true],
		["四十八小时内发", "48小时", true],
	])("%s, %s: %s", (text, words, said) => {
		expect(says(text, words)).toBe(said);
	});
});
