import { expect, it } from "vitest";
import { checkTrigger, firesItself } from "./check-trigger";
import { type Condition, TriggerContentSchema } from "./contract";
import { above, contentOf, is } from "./testing/trigger-world";

const suites = (...keys: string[]) => ({ type: "run-suites" as const, suites: keys, split: "dev" as const, variants: 5 });
const isNot = (fact: Condition["fact"], value: string): Condition => ({ fact, operator: "is-not", value });

it.each<[string, Parameters<typeof contentOf>, boolean]>([
	["a run's end that starts a run", ["run-finished", suites("t1")], true],
	["the same, of a run that no trigger started", ["run-finished", suites("t1"), { conditions: [isNot("startedFor", "trigger")] }], false],
	["the same, of another split", ["run-finished", suites("t1"), { conditions: [is("split", "test")] }], false],
	["T1's end that starts T2, which brings T1 along", ["run-finished", suites("t2"), { conditions: [is("suite", "t1")] }], true],
	["a landing's run that starts T2", ["run-finished", suites("t2"), { conditions: [is("startedFor", "landing")] }], false],
	["a low score that starts a run: the run may be as low", ["run-finished", suites("t1"), { conditions: [above("average", 50)] }], true],
	["a gap that measures a gap", ["gap-measured", suites("t2"), { conditions: [above("gap", 5)] }], true],
	["a gap on test that measures one on dev", ["gap-measured", suites("t2"), { conditions: [is("split", "test")] }], false],
	["a gap that runs another suite", ["gap-measured", suites("extra")], false],
	["a landing that starts a run", ["proposal-landed", suites("t1", "t2")], false],
	["a run's end that proposes a retraining", ["run-finished", { type: "propose-retraining", recipe: "hat", seed: 1, options: {} }], false],
])("%s sets itself off: %s", (_name, args, expected) => expect(firesItself(contentOf(...args))).toBe(expected));

const evaluation = { currentSuiteVersion: async (_workspaceId: string, key: string) => (key === "t1" ? { id: "sv", key, version: 1 } : null) } as never;
const webhook = (url: string, allowPrivate = false) => ({ type: "call-webhook" as const, url, allowPrivate });

it.each<[string, Parameters<typeof contentOf>, string]>([
	["nonsense cron", ["schedule", suites("t1"), { schedule: { cron: "tomorrow", timeZone: "UTC" } }], "cron-fields"],
	["a webhook to a private address", ["round-closed", webhook("http://10.0.0.7/x")], "private-address"],
	["a webhook to this machine by name", ["round-closed", webhook("http://localhost:8080/x")], "private-address"],
	["a webhook to the metadata of a cloud", ["round-closed", webhook("http://169.254.169.254/latest")], "private-address"],
	["an unknown suite", ["round-closed", suites("t1", "t9")], "trigger-suite-unknown"],
	["itself", ["run-finished", suites("t1")], "trigger-fires-itself"],
	["the loop's suites after a release", ["release-made", { type: "run-loop-suites" }], "trigger-loop-event"],
	["no budget", ["round-closed", suites("t1"), { budgetPerDay: null }], "trigger-budget"],
])("refuses %s", async (_name, args, reason) => {
	await expect(checkTrigger({ evaluation }, "ws", contentOf(...args))).rejects.toMatchObject({ code: "bad-input", reason });
});

it("lets through what can work", async () => {
	for (const content of [
		contentOf("schedule", suites("t1", "t2", "t3-tool"), { schedule: { cron: "0 9 * * 1", timeZone: "Asia/Shanghai" } }),
		contentOf("round-closed", webhook("http://10.0.0.7/x", true)),
		contentOf("round-closed", webhook("https://example.org/x")),
	])
		await expect(checkTrigger({ evaluation }, "ws", content)).resolves.toBeUndefined();
});

it("has a schedule when it follows one, and conditions on what its event has", () => {
	const valid = (content: object) => TriggerContentSchema.safeParse(content).success;
	expect(valid(contentOf("schedule", suites("t1")))).toBe(false);
	expect(valid(contentOf("round-closed", suites("t1"), { schedule: { cron: "0 9 * * 1", timeZone: "UTC" } }))).toBe(false);
	expect(valid(contentOf("round-closed", suites("t1"), { conditions: [above("gap", 1)] }))).toBe(false);
	expect(valid(contentOf("gap-measured", suites("extra"), { conditions: [above("gap", 1)] }))).toBe(true);
	expect(valid({ ...contentOf("round-closed", suites("t1")), coolDownMinutes: -1 })).toBe(false);
});
