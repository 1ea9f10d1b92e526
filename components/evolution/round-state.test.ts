import { describe, expect, it } from "vitest";
import { curveCsv } from "./curve-csv";
import { publishedOverview } from "./published.fixture";
import { actsOf, closesFirst, curveRounds, digestOf, roundState } from "./round-state";
import type { Overview, OverviewRound } from "./types";

const rounds = publishedOverview.rounds;
const round = (index: number, change: Partial<OverviewRound> = {}): OverviewRound => {
	const found = rounds[index];
	if (!found) throw new Error(`no round ${index}`);
	return { ...found, ...change };
};
const overview = (change: Partial<Overview> = {}): Overview => ({ ...publishedOverview, ...change });
const active = publishedOverview.evolution && { ...publishedOverview.evolution, status: "active" as const };

describe("roundState", () => {
	it("reads the published series as the rule does", () => {
		expect(rounds.map((item) => roundState(item, 2))).toEqual([
			{ kind: "baseline" },
			{ kind: "ineligible" },
			{ kind: "recommended" },
			{ kind: "strike", count: 1, of: 2 },
			{ kind: "stopped", count: 2, of: 2 },
		]);
	});

	const standing = (effect: "stale" | "trade-off" | "anchor" | "none") => {
		const base = round(3).standing;
		return base && { ...base, effect, strikes: 0, stale: effect === "stale" ? 1 : 0 };
	};
	const test = round(3).test;
	it.each([
		["an open round", round(3, { status: "open" }), { kind: "open" }],
		[
			"a round under evaluation",
			round(3, { status: "closing", dev: null, test: test && { ...test, status: "running", done: 120, planned: 480 } }),
			{ kind: "evaluating", share: 0.25 },
		],
		[
			"a baseline that waits for its runs",
			round(0, { dev: null, test: test && { ...test, status: "queued", done: 0, planned: 0 } }),
			{ kind: "evaluating", share: 0 },
		],
		["an indecisive test run", round(3, { test: test && { ...test, standing: "indecisive" } }), { kind: "indecisive" }],
		["a stale round", round(3, { standing: standing("stale") }), { kind: "stale", count: 1, of: 2 }],
		["a trade-off", round(3, { standing: standing("trade-off") }), { kind: "trade-off" }],
		["an anchor that is not recommended", round(3, { standing: standing("anchor") }), { kind: "anchor" }],
		["no effect", round(3, { standing: standing("none") }), { kind: "none" }],
	])("%s", (_name, item, expected) => {
		expect(roundState(item, 2)).toEqual(expected);
	});
});

describe("curveRounds", () => {
	it("shows an open round only once something landed in it", () => {
		const empty = round(4, { status: "open", landed: [] });
		const started = round(4, { status: "open" });
		expect(curveRounds({ rounds: [round(0), empty] })).toHaveLength(1);
		expect(curveRounds({ rounds: [round(0), started] })).toHaveLength(2);
	});
});

describe("digestOf", () => {
	it("compares with the anchor, with the baseline where there is none, and never on dev", () => {
		expect(digestOf(round(3), "test")?.against).toBe("Evo.2");
		expect(digestOf(round(3, { againstAnchor: null }), "test")).toBe(round(3).againstBaseline);
		expect(digestOf(round(3), "dev")).toBeNull();
	});
});

describe("actsOf", () => {
	const all = () => true;
	const open = round(4, { status: "open" });
	it.each([
		["nobody's role", overview(), () => false, { start: "role", diagnose: "role", closeRound: "role", reopen: "role", closeEvolution: "role" }],
		["stopped", overview(), all, { start: null, diagnose: "stopped", closeRound: "stopped", reopen: null, closeEvolution: null }],
		[
			"no evolution",
			overview({ evolution: null, rounds: [] }),
			all,
			{ start: null, diagnose: "noEvolution", closeRound: "noEvolution", reopen: "stillActive", closeEvolution: "noEvolution" },
		],
		[
			"active with a landing",
			overview({ evolution: active, rounds: [round(0), open] }),
			all,
			{ start: "active", diagnose: null, closeRound: null, reopen: "stillActive", closeEvolution: null },
		],
		[
			"active, nothing landed",
			overview({ evolution: active, rounds: [round(0), { ...open, landed: [] }] }),
			all,
			{ start: "active", diagnose: null, closeRound: "nothingLanded", reopen: "stillActive", closeEvolution: null },
		],
		[
			"a round is being closed",
			overview({ evolution: active, rounds: [round(0), round(3, { status: "closing" })] }),
			all,
			{ start: "active", diagnose: null, closeRound: "closing", reopen: "stillActive", closeEvolution: "closing" },
		],
		[
			"the baseline runs and a diagnosis waits",
			overview({
				evolution: active,
				headline: { kind: "evaluating-baseline" },
				tasks: [{ id: "t", kind: "diagnose", status: "queued", startedAt: new Date(0) }],
			}),
			all,
			{ start: "active", diagnose: "baselineRunning", closeRound: "baselineRunning", reopen: "stillActive", closeEvolution: null },
		],
	])("%s", (_name, data, can, expected) => {
		expect(actsOf(data, can)).toEqual(expected);
	});
});

describe("curveCsv", () => {
	it("writes the scale of the screen, one line a round", () => {
		const lines = curveCsv(publishedOverview, "test").trim().split("\r\n");
		expect(lines).toHaveLength(6);
		expect(lines[3]).toContain("Evo.2,closed,7c1e0a4,test,483,99.4,92.55,89.9,94.6,92.75");
		expect(lines[3]).toContain("base,10.14,");
	});
});

describe("closesFirst", () => {
	it.each([
		[null, true],
		["confirm-findings", true],
		["propose-edits", true],
		["release", true],
		["review-proposal", false],
		["update-proposal", false],
	] as const)("%s: %s", (kind, expected) => {
		expect(closesFirst(kind && { kind })).toBe(expected);
	});
});
