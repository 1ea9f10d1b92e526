import { expect, it } from "vitest";
import type { TrainingRecord } from "@/server/training/contract";
import { curveTable, isSilent, linesOf, METRICS } from "./curve-metrics";

const record = (step: number, rest: Partial<TrainingRecord> = {}): TrainingRecord => ({
	stage: "rl",
	step,
	loss: step / 10,
	gradientNorm: 1,
	kl: null,
	rewards: { accuracy: 0.5, effectiveness: 0.25, skill: null, tool: 1 },
	advantage: { mean: 0, std: 1 },
	droppedShare: 0.4,
	clipShare: 0,
	reasoningTokens: { tool: 0, reply: 0 },
	sample: null,
	...rest,
});
const records = [record(1, { sample: { t1: 0.8, t2: 0.6 } }), record(2), record(3, { sample: { t1: 0.9, t2: null } })];
const metric = (key: string) => METRICS.rl.find((one) => one.key === key) as (typeof METRICS.rl)[number];

it("draws a point where something was measured, and none elsewhere", () => {
	expect(linesOf(metric("sample"), records).map(({ points }) => points)).toEqual([
		[
			[1, 80],
			[3, 90],
		],
		[[1, 60]],
	]);
	expect(linesOf(metric("sample"), [], { t1: 0.5, t2: null }).map(({ points }) => points)).toEqual([[[0, 50]], []]);
	expect(linesOf(metric("loss"), records, { t1: 0.5, t2: null })[0]?.points[0]).toEqual([1, 0.1]);
	expect(linesOf(metric("skill"), records)[0]?.points).toEqual([]);
	expect(linesOf(metric("loss"), records)[0]?.points).toHaveLength(3);
});

it("leaves reasoning tokens out only where there are none", () => {
	const reasoning = metric("reasoning");
	expect(isSilent(reasoning, linesOf(reasoning, records))).toBe(true);
	const some = [...records, record(4, { reasoningTokens: { tool: 12, reply: 0 } })];
	expect(isSilent(reasoning, linesOf(reasoning, some))).toBe(false);
	expect(isSilent(metric("clipShare"), linesOf(metric("clipShare"), records))).toBe(false);
});

it("exports one row a step with a value or nothing under every heading", () => {
	const { header, rows } = curveTable(records);
	expect(rows).toHaveLength(3);
	expect(rows.every((row) => row.length === header.length)).toBe(true);
	expect(rows[0]?.[header.indexOf("t2")]).toBe(0.6);
	expect(rows[1]?.[header.indexOf("t1")]).toBeNull();
	expect(rows[2]?.[header.indexOf("tool")]).toBe(1);
});
