import { describe, expect, it } from "vitest";
import { isStalled, releaseOf, releasesOf } from "./overview-facts";
import type { ReleaseFact, RunView } from "./ports";

const people = new Map([["usr_rita", { id: "usr_rita", name: "Rita", email: "" }]]);
const round = { id: "rnd_1", evolutionId: "evo_1", treeId: "tree-1" };

/** Releases oldest first; the last is live, as the release domain tells them. */
function history(...made: Partial<ReleaseFact>[]): ReleaseFact[] {
	return made.map((over, i) => ({
		tag: `v${i + 1}`,
		commit: `commit-${i + 1}`,
		treeId: "tree-1",
		policyVersionId: "pol_1",
		evolutionId: "evo_1",
		roundId: "rnd_1",
		at: new Date(Date.UTC(2026, 0, i + 1)),
		current: i === made.length - 1,
		kind: "release",
		against: i === 0 ? "base" : `v${i}`,
		gate: { verdict: "pass", policyVersion: i, checks: [] },
		override: null,
		unattended: false,
		createdById: "usr_rita",
		...over,
	}));
}
const other = { roundId: "rnd_2", treeId: "tree-2" };
const policy = { kind: "policy", roundId: null } as const;
const back = { kind: "rollback", roundId: null } as const;

describe("the release that speaks for a round", () => {
	it.each([
		["never released", history(other), [], null],
		["released, and live", history({}), ["v1"], { tag: "v1", live: "v1", against: "base" }],
		["released, and another is live", history({}, other), ["v1"], { tag: "v1", live: "v2" }],
		["live again by a rollback", history({}, other, back), ["v1", "v3"], { tag: "v3", kind: "rollback", live: "v3", against: "v2" }],
		["rolled back from", history({}, { ...back, evolutionId: null, treeId: "tree-0" }), ["v1"], { tag: "v1", live: "v2" }],
		["released twice", history({}, other, {}), ["v1", "v3"], { tag: "v3", live: "v3", against: "v2" }],
		["a policy was released since, over the same files", history({}, policy), ["v1"], { tag: "v1", live: "v1" }],
		["another campaign began at the same files", history({ evolutionId: "evo_0", roundId: "rnd_0" }), [], null],
	] as const)("%s", (_name, releases, tags, expected) => {
		expect(releasesOf(round, releases).map((r) => r.tag)).toEqual(tags);
		const found = releaseOf(round, releases, people);
		if (expected === null) expect(found).toBeNull();
		else expect(found).toMatchObject(expected);
	});

	it("carries the gate that decided it, who made it, and a name for someone who is gone", () => {
		const override = { verdict: "inconclusive" as const, by: { id: "usr_rita", name: "Rita" }, reason: "Wording only." };
		const [fact] = history({ override, gate: { verdict: "inconclusive", policyVersion: 4, checks: [] } });
		expect(releaseOf(round, fact ? [fact] : [], people)).toMatchObject({
			by: { id: "usr_rita", name: "Rita" },
			gate: { verdict: "inconclusive", policyVersion: 4 },
			override,
		});
		expect(releaseOf(round, history({ createdById: "usr_gone" }), people)?.by).toEqual({ id: "usr_gone", name: "usr_gone" });
	});
});

describe("a round whose evaluation stopped", () => {
	const waits = { status: "closing", devRunId: "run_dev", testRunId: "run_test", regressionRunIds: ["run_t3"] } as const;
	const runs = (dev: RunView["status"], test: RunView["status"], t3: RunView["status"]) =>
		new Map(Object.entries({ run_dev: dev, run_test: test, run_t3: t3 }).map(([id, status]) => [id, { id, status } as RunView]));
	it.each([
		["all are under way", runs("running", "queued", "queued"), false],
		["one failed", runs("failed", "running", "queued"), true],
		["one was cancelled", runs("done", "cancelled", "done"), true],
		["a regression suite failed", runs("done", "done", "failed"), true],
		["none is known yet", new Map<string, RunView>(), false],
	] as const)("%s", (_name, known, expected) => {
		expect(isStalled({ ...waits, regressionRunIds: [...waits.regressionRunIds] }, known)).toBe(expected);
	});

	it("is over once it has its standing", () => {
		expect(isStalled({ ...waits, regressionRunIds: [], status: "closed" }, runs("failed", "done", "done"))).toBe(false);
	});
});
