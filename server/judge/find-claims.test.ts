import { describe, expect, it } from "vitest";
import { findClaim } from "./find-claims";

describe("findClaim", () => {
	it.each([
		["不能保证不过敏。", "保证不过敏", false],
		["保证不过敏，放心买。", "保证不过敏", true],
		["不用担心，保证不过敏。", "保证不过敏", true],
		["不仅保证不过敏，还美白。", "保证不过敏", true],
		["没问题保证不过敏。", "保证不过敏", true],
		["我不敢说永久有效。", "永久有效", false],
		["“永久有效”这种话我不能说。", "永久有效", false],
		["效果很好，永久有效！", "永久有效", true],
		["不会过敏的。", "不会过敏", true],
		["不能说不会过敏。", "不会过敏", false],
		["I cannot promise a refund today.", "promise a refund", false],
		["We promise a refund today.", "promise a refund", true],
		["到手189元。", "89元", false],
		["到手89元。", "89元", true],
	])("%j claims %j: %s", (reply, claim, expected) => {
		expect(findClaim(reply, [claim]) !== null).toBe(expected);
	});

	it("says which sentence makes it", () => {
		expect(findClaim("您好。保证有效。再见。", ["保证有效"])).toEqual({ words: "保证有效", sentence: "保证有效。" });
	});
});
