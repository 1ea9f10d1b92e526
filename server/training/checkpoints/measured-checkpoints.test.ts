import { describe, expect, it } from "vitest";
import type { RunInfo } from "@/server/evaluation/contract";
import { type CheckpointListPorts, listCheckpoints, pickComparable } from "./measured-checkpoints";

const conditions = { treeId: "tree", suiteVersionId: "suite", judgeVersionId: "judge" };
const avg = { value: 0.65, low: 0.6, high: 0.7 };
const run = (number: number, change: Partial<RunInfo> = {}) =>
	({
		...{ id: `run_${number}`, number, policyVersionId: "hat", ...conditions },
		...{ split: "test", status: "done", variants: null, partial: false, summary: { avg, cases: 120 } },
		...change,
	}) as RunInfo;

describe("the comparable T1 of a checkpoint", () => {
	it("is the newest of its own", () => {
		expect(pickComparable([run(9, { policyVersionId: "other" }), run(7), run(3)], "hat", conditions)).toMatchObject({ t1: { number: 7 }, open: [] });
	});

	it.each<[string, Partial<RunInfo>]>([
		["another harness", { treeId: "older" }],
		["another version of the suite", { suiteVersionId: "older" }],
		["another judge", { judgeVersionId: "older" }],
		["dev, which it was trained on", { split: "dev" }],
		["a part of the cases", { partial: true }],
		["variants of the harness", { variants: { suite: "t2" } as RunInfo["variants"] }],
	])("is none on %s", (_what, change) => {
		expect(pickComparable([run(1, change)], "hat", conditions)).toEqual({ t1: null, open: [] });
	});

	it("is not there while it runs, which is said; nor where nothing says what is comparable", () => {
		expect(pickComparable([run(2, { status: "running", summary: null })], "hat", conditions)).toEqual({ t1: null, open: ["run_2"] });
		expect(pickComparable([run(2, { status: "queued", summary: null }), run(1)], "hat", conditions)).toMatchObject({ t1: { number: 1 }, open: ["run_2"] });
		expect(pickComparable([run(1)], "hat", null)).toEqual({ t1: null, open: [] });
	});
});

describe("the list of checkpoints", () => {
	const gap = { cases: 118, accuracy: avg, effectiveness: avg, avg: { value: 0.02, low: -0.01, high: 0.05 } };
	const ports = (runs: RunInfo[]): CheckpointListPorts => ({
		versions: async () => [
			{ id: "hat", name: "hat", createdAt: new Date("2026-01-01") },
			{ id: "hat-2", name: "hat v2", createdAt: new Date("2026-02-01") },
		],
		currentPolicy: async () => ({ id: "hat" }),
		conditions: async () => conditions,
		trainings: async () => [
			{ id: "trn_2", number: 2, policyVersionId: null },
			{ id: "trn_1", number: 1, policyVersionId: "hat-2" },
		],
		runs: async () => runs,
		gapsOf: async (runId) =>
			runId === "run_7"
				? [
						{ t2: { id: "held" }, words: "held-out", gap: { ...gap, cases: 1 } },
						{ t2: { id: "inside" }, words: "transforms", gap },
					]
				: [],
	});

	it("has the newest first, with who made it, who acts, T1 and the gap inside the envelope", async () => {
		const [newest, first] = await listCheckpoints(ports([run(7)]), "ws");
		expect(newest).toMatchObject({ name: "hat v2", training: { id: "trn_1", number: 1 }, inForce: false, t1: null, gap: null, running: [] });
		expect(first).toMatchObject({ name: "hat", training: null, inForce: true, t1: { runId: "run_7", number: 7, cases: 120, avg } });
		expect(first?.gap).toEqual({ value: 0.02, low: -0.01, high: 0.05, cases: 118, runId: "inside", baseRunId: "run_7" });
	});

	it("says T1 alone where T2 was not run", async () => {
		const [, first] = await listCheckpoints(ports([run(8), run(7)]), "ws");
		expect(first).toMatchObject({ t1: { number: 8 }, gap: null });
	});
});
