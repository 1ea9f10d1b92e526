import { describe, expect, it } from "vitest";
import { type Trigger, TriggerContentSchema } from "@/server/triggers/contract";
import { readValues, type TriggerValues, valuesOf } from "./trigger-values";

const typed = (change: Partial<TriggerValues> = {}) => ({ ...valuesOf(null, "Asia/Shanghai"), name: "Mine", ...change });
const problemsOf = (change: Partial<TriggerValues>) => [...readValues(typed(change), null).problems];
const trigger = (content: object, rest: Partial<Trigger> = {}): Trigger => ({
	...{ id: "trg", key: null, name: "Mine", enabled: true, version: 3, hasSecret: false, dueAt: null, updatedAt: new Date(), updatedBy: null },
	...{ lastFiredAt: null, firedToday: 0, content: TriggerContentSchema.parse(content) },
	...rest,
});

describe("a trigger as it is typed", () => {
	it("is one that the server takes", () => {
		const { content, problems } = readValues(typed({ conditions: [{ key: 0, fact: "gap", operator: "above", value: "7,5" }] }), null);
		expect([...problems]).toEqual([]);
		expect(TriggerContentSchema.parse(content)).toMatchObject({ event: "gap-measured", conditions: [{ value: 7.5 }], action: { recipe: "hat", options: {} } });
	});

	it.each<[string, Partial<TriggerValues>, string[]]>([
		["a name", { name: "  " }, ["name"]],
		["a schedule", { event: "schedule", cron: " " }, ["schedule"]],
		["a number where figures are compared", { conditions: [{ key: 0, fact: "gap", operator: "above", value: "much" }] }, ["value"]],
		["a value at all", { conditions: [{ key: 0, fact: "split", operator: "is", value: "" }] }, ["value"]],
		["suites", { action: "run-suites", suites: " , " }, ["suites"]],
		["whole numbers", { action: "run-suites", variants: "2.5" }, ["number"]],
		["title and hypothesis", { action: "open-finding", title: "Gap" }, ["title"]],
		["an address and a secret", { action: "call-webhook", url: "ftp://x" }, ["url", "secret"]],
		["a budget", { budget: "0" }, ["budget"]],
		["a rest", { rest: "-1" }, ["rest"]],
	])("needs %s", (_name, change, expected) => expect(problemsOf(change)).toEqual(expected));

	it("leaves aside what the chosen event has no figure for, and keeps it", () => {
		const values = typed({ event: "round-closed", conditions: [{ key: 0, fact: "gap", operator: "above", value: "nonsense" }] });
		expect(readValues(values, null)).toMatchObject({ content: { conditions: [] }, problems: new Set() });
		expect(values.conditions).toHaveLength(1);
	});

	it.each([
		{
			event: "schedule",
			schedule: { cron: "0 6 * * *", timeZone: "Europe/Berlin" },
			action: { type: "run-suites", suites: ["t1", "t3-tool"], split: "test", variants: 3 },
		},
		{
			event: "run-finished",
			conditions: [{ fact: "average", operator: "below", value: 60 }],
			action: { type: "open-finding", title: "Low", hypothesis: "It fell." },
		},
		{
			event: "evolution-stopped",
			action: { type: "start-retraining", recipe: "fixed", seed: 9, options: { sftEpochs: 4 } },
			coolDownMinutes: 0,
			budgetPerDay: 1,
		},
		{ event: "round-closed", action: { type: "run-loop-suites" } },
		{ event: "api-call", action: { type: "call-webhook", url: "https://example.org/x", allowPrivate: true } },
	])("comes back from the form as it went in: $event", (content) => {
		const saved = trigger(content, { hasSecret: true });
		const { content: again, problems } = readValues(valuesOf(saved, "UTC"), saved);
		expect([...problems]).toEqual([]);
		expect(again).toEqual(saved.content);
	});
});
