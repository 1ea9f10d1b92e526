import { describe, expect, it } from "vitest";
import { FaultPlan, faultyAnswer } from "./inject-fault";

const context = { timeoutMs: 500, seed: 4, now: "2026-03-02T10:00:00+01:00" };

describe("faults", () => {
	it("are handed out in order, as often as they say, to their handler only", () => {
		const plan = new FaultPlan([
			{ handler: "a", kind: "timeout", times: 2 },
			{ handler: "a", kind: "empty", times: 1 },
			{ handler: "b", kind: "stale", times: 1 },
		]);
		expect(["a", "b", "a", "c", "a", "a", "b"].map((handler) => plan.take(handler))).toEqual(["timeout", "stale", "timeout", null, "empty", null, null]);
	});

	it("stale changes every number that is not 0, keeps the rest, says how old it is, and repeats for a seed", () => {
		const answer = { price: 99, rate: 0.5, none: 0, one: 1, title: "Dune", list: [{ copies: 3 }] };
		const stale = faultyAnswer("stale", answer, context) as typeof answer & { asOf: string };
		expect(stale).toMatchObject({ title: "Dune", none: 0, asOf: "2026-02-28T09:00:00.000Z" });
		expect([stale.price !== 99, stale.rate !== 0.5, stale.one !== 1, stale.list[0]?.copies !== 3]).toEqual([true, true, true, true]);
		expect(faultyAnswer("stale", answer, context)).toEqual(stale);
		expect(faultyAnswer("stale", answer, { ...context, seed: 5 })).not.toEqual(stale);
		expect(faultyAnswer("stale", [1], context)).toMatchObject({ asOf: expect.any(String) });
	});

	it.each([
		["timeout", "timeout", "The tool did not answer within 500 ms."],
		["permission-denied", "forbidden", "Permission denied."],
		["malformed", "upstream", "The tool's answer is not valid JSON: {\"copi"],
	] as const)("%s fails as %s", (kind, code, message) => {
		expect(() => faultyAnswer(kind, { copies: 3 }, context)).toThrow(expect.objectContaining({ code, message }));
	});
});
