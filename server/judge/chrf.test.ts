import { describe, expect, it } from "vitest";
import { chrf, chrfWithWildcards } from "./chrf";

describe("chrf", () => {
	// Computed with sacrebleu's CHRF() (character order 6, beta 2, no word n-grams), divided by 100.
	it.each([
		["The cat sat on the mat", "The cat sat on the mat", 1],
		["The cat is on the mat", "The cat sat on the mat", 0.619252],
		["面膜现在还剩三件", "面膜现在还剩五件，可以拍", 0.393188],
		["hello world", "hello there world", 0.39906],
		["ab", "abc", 0.636364],
		["abc", "xyz", 0],
		["", "abc", 0],
	])("scores %j against %j", (hypothesis, reference, score) => {
		expect(chrf(hypothesis, reference)).toBeCloseTo(score, 5);
	});

	it("gives the same score again, from its memory", () => {
		expect(chrf("hello world", "hello there world")).toBe(chrf("hello world", "hello there world"));
	});

	it("takes placeholders as wildcards on both sides", () => {
		expect(chrfWithWildcards("Your parcel {{Number}} is on its way", "Your parcel {{Order ID}} is on its way")).toBe(1);
		expect(chrf("Your parcel {{Number}} is on its way", "Your parcel {{Order ID}} is on its way")).toBeLessThan(0.9);
	});
});
