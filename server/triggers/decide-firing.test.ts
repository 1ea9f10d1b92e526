import { describe, expect, it } from "vitest";
import type { Condition, Facts } from "./contract";
import { ConditionSchema, EVENT_FACTS, FACTS, operatorsOf } from "./contract";
import { decideFiring, meets, type Situation } from "./decide-firing";

const now = new Date("2026-11-30T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const gapAbove5: Condition = { fact: "gap", operator: "above", value: 5 };

const situation = (change: Partial<Situation> = {}): Situation => ({
	triggerId: "trg_1",
	content: { conditions: [gapAbove5], coolDownMinutes: 60, budgetPerDay: 2 },
	facts: { gap: 8 },
	chain: [],
	now,
	seen: false,
	firedAt: [],
	lastFiredAt: null,
	...change,
});

describe("a condition", () => {
	it.each<[Condition, Facts, boolean]>([
		[gapAbove5, { gap: 5.01 }, true],
		[gapAbove5, { gap: 5 }, false],
		[{ fact: "gap", operator: "at-least", value: 5 }, { gap: 5 }, true],
		[{ fact: "gap", operator: "below", value: 5 }, { gap: 5 }, false],
		[{ fact: "gap", operator: "at-most", value: 5 }, { gap: 5 }, true],
		[{ fact: "gap", operator: "below", value: 5 }, { gap: -2 }, true],
		[{ fact: "split", operator: "is", value: "dev" }, { split: "dev" }, true],
		[{ fact: "split", operator: "is-not", value: "dev" }, { split: "test" }, true],
		[{ fact: "outside", operator: "contains", value: "tools" }, { outside: "tools prompts" }, true],
		[{ fact: "outside", operator: "contains", value: "hooks" }, { outside: "tools prompts" }, false],
		// What is not known meets nothing, the negation of it neither.
		[{ fact: "gap", operator: "below", value: 5 }, { gap: null }, false],
		[{ fact: "gap", operator: "below", value: 5 }, {}, false],
		[{ fact: "split", operator: "is-not", value: "dev" }, {}, false],
	])("%j of %j is %s", (condition, facts, expected) => expect(meets(condition, facts)).toBe(expected));

	it.each<[unknown, boolean]>([
		[gapAbove5, true],
		[{ fact: "gap", operator: "above", value: "5" }, false],
		[{ fact: "gap", operator: "is", value: 5 }, false],
		[{ fact: "split", operator: "above", value: "dev" }, false],
		[{ fact: "split", operator: "is", value: "nowhere" }, false],
		[{ fact: "mood", operator: "is", value: "good" }, false],
	])("%j is valid: %s", (condition, valid) => expect(ConditionSchema.safeParse(condition).success).toBe(valid));

	it("can be written for every fact, and every fact belongs to an event", () => {
		for (const fact of FACTS) {
			expect(operatorsOf(fact).length).toBeGreaterThan(1);
			expect(Object.values(EVENT_FACTS).some((facts) => facts.includes(fact))).toBe(true);
		}
	});
});

describe("a decision", () => {
	it.each<[string, Partial<Situation>, string, string]>([
		["fires when all holds", {}, "fired", "all-met"],
		["does not when a condition fails", { facts: { gap: 3 } }, "condition-not-met", "condition"],
		["rests after a firing", { lastFiredAt: ago(59) }, "cooling-down", "cool-down"],
		["fires again when it has rested", { lastFiredAt: ago(60) }, "fired", "all-met"],
		["stops at its budget", { lastFiredAt: ago(61), firedAt: [ago(61), ago(1_000)] }, "over-budget", "budget"],
		["counts only the last day", { lastFiredAt: ago(61), firedAt: [ago(61), ago(1_440)] }, "fired", "all-met"],
		["answers an event once", { seen: true }, "duplicate", "duplicate"],
		["does not answer its own doing", { chain: ["trg_0", "trg_1"] }, "own-chain", "own-chain"],
		["follows two others", { chain: ["trg_8", "trg_9"] }, "fired", "all-met"],
		["does not follow three", { chain: ["trg_7", "trg_8", "trg_9"] }, "own-chain", "depth"],
		["says that the condition failed, not that it rests", { facts: { gap: 3 }, lastFiredAt: ago(1) }, "condition-not-met", "condition"],
	])("%s", (_name, change, decision, why) => {
		const result = decideFiring(situation(change));
		expect([result.decision, result.why.kind]).toEqual([decision, why]);
	});

	it("says what was found instead of what was asked for, and until when it rests", () => {
		expect(decideFiring(situation({ facts: { gap: 3 } })).why).toEqual({ kind: "condition", ...gapAbove5, actual: 3 });
		expect(decideFiring(situation({ facts: {} })).why).toMatchObject({ actual: null });
		expect(decideFiring(situation({ lastFiredAt: ago(20) })).why).toEqual({ kind: "cool-down", minutes: 60, until: "2026-11-30T12:40:00.000Z" });
	});

	it("without cool-down, budget and conditions fires each time", () => {
		const content = { conditions: [], coolDownMinutes: 0, budgetPerDay: null };
		expect(decideFiring(situation({ content, facts: {}, lastFiredAt: now, firedAt: Array.from({ length: 5_000 }, () => now) })).decision).toBe("fired");
	});
});
