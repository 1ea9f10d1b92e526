import { describe, expect, it } from "vitest";
import { ROUND_STEPS, roundStepStates } from "./round-step-states";

type Facts = Parameters<typeof roundStepStates>[0];
const done = { status: "done" } as const;
const running = { status: "running" } as const;
const standing = { eligible: true } as NonNullable<Facts["standing"]>;
const none = { proposed: 0, accepted: 0, rejected: 0 };
const facts = (change: Partial<Facts>): Facts => ({
	status: "open",
	standing: null,
	findings: none,
	proposals: [],
	landed: [],
	dev: null,
	test: null,
	...change,
});
const decided = { proposed: 0, accepted: 2, rejected: 1 };

describe("the steps of a round", () => {
	it.each([
		["nothing happened yet", facts({}), ["current", "todo", "todo", "todo", "todo"]],
		["findings wait", facts({ findings: { ...none, proposed: 3 } }), ["done", "current", "todo", "todo", "todo"]],
		["findings are decided", facts({ findings: decided }), ["done", "done", "current", "todo", "todo"]],
		["something landed", facts({ findings: decided, proposals: [1], landed: [1] }), ["done", "done", "done", "current", "todo"]],
		["an edit by hand, without a diagnosis", facts({ proposals: [1], landed: [1] }), ["todo", "todo", "done", "current", "todo"]],
		[
			"it is being evaluated",
			facts({ status: "closing", findings: decided, landed: [1], dev: done, test: running }),
			["done", "done", "done", "current", "todo"],
		],
		["it is closed", facts({ status: "closed", findings: decided, landed: [1], dev: done, test: done, standing }), Array(5).fill("done")],
		[
			"it is closed, findings were left undecided",
			facts({ status: "closed", findings: { proposed: 2, accepted: 1, rejected: 0 }, landed: [1], dev: done, test: done, standing }),
			Array(5).fill("done"),
		],
		[
			"it is closed, and nobody diagnosed",
			facts({ status: "closed", landed: [1], dev: done, test: done, standing }),
			["skipped", "skipped", "done", "done", "done"],
		],
	])("%s", (_name, round, expected) => {
		const states = roundStepStates(round);
		expect(ROUND_STEPS.map((step) => states[step])).toEqual(expected);
	});
});
