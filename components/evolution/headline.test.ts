import { expect, it } from "vitest";
import { nextOf } from "./headline";
import type { Overview } from "./types";

const none = { findingsOpen: 0, findingsAccepted: 0, findingsRejected: 0, inReview: 0, drafts: 0 };
const diagnosing: Overview["tasks"] = [{ id: "tsk_1", kind: "diagnose", status: "running", startedAt: new Date(0) }];

it.each([
	["nothing was diagnosed", none, [], "baselineOnly"],
	["findings wait", { ...none, findingsOpen: 2, findingsRejected: 1 }, [], "diagnosed"],
	["one is confirmed", { ...none, findingsAccepted: 1, findingsRejected: 3 }, [], "diagnosed"],
	["all were rejected", { ...none, findingsRejected: 3 }, [], "allRejected"],
	["all were rejected, and it is diagnosed again", { ...none, findingsRejected: 3 }, diagnosing, "diagnosing"],
] as const)("after a measured baseline: %s", (_name, counts, tasks, expected) => {
	expect(nextOf({ counts, tasks: [...tasks] })).toBe(expected);
});
