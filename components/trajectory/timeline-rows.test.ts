import { describe, expect, it } from "vitest";
import type { Step } from "@/server/agent/contract";
import type { Evidence } from "@/server/judge/contract";
import { decisiveEvidence, markSentences } from "./mark-sentences";
import { axisEnd, previewValue, timelineRows } from "./timeline-rows";

const hook = (name: string, outcome: "pass" | "retry" | "replace", atMs: number, event = "reply"): Step => ({
	type: "hook",
	hook: name,
	event,
	outcome,
	atMs,
	durationMs: 2,
});

describe("timelineRows", () => {
	it("joins hooks of one event that pass in a row, counts retries by event, and leaves retry steps out", () => {
		const rows = timelineRows([
			{ type: "message", text: "hi", atMs: 0, durationMs: 0 },
			hook("1", "pass", 1, "input"),
			hook("2", "pass", 3),
			hook("3", "pass", 6),
			hook("4", "retry", 9),
			{ type: "retry", reason: "hook:4", attempt: 1, atMs: 9, durationMs: 0 },
			hook("4", "retry", 20),
			hook("5", "replace", 23),
			{ type: "reply", text: "ok", atMs: 30, durationMs: 0 },
		]);
		expect(
			rows.map((row) =>
				row.kind === "hooks"
					? row.hooks.map((step) => step.hook).join("+")
					: row.kind === "hook"
						? `${row.step.hook} ${row.retry ?? row.step.outcome}`
						: row.step.type,
			),
		).toEqual(["message", "1", "2+3", "4 1", "4 2", "5 replace", "reply"]);
		expect(rows[2]).toMatchObject({ atMs: 3, durationMs: 5 });
		expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
	});
});

describe("axisEnd", () => {
	it.each([
		[0, 1],
		[0.4, 0.4],
		[7, 8],
		[332, 400],
		[3_940, 4_000],
		[4_001, 6_000],
		[9_999, 10_000],
		[10_001, 20_000],
	])("%d ms ends at %d", (duration, end) => {
		expect(axisEnd(duration)).toBeCloseTo(end, 6);
	});
});

describe("previewValue", () => {
	it.each([
		[{ price: 99, title: "Dune" }, 'price: 99, title: "Dune"'],
		["text", '"text"'],
		[[1, 2], "[1,2]"],
		[null, "null"],
		[undefined, ""],
		[{}, ""],
	])("%o", (value, text) => {
		expect(previewValue(value)).toBe(text);
	});
	it("cuts between characters", () => {
		expect(previewValue("👍👍👍👍", 4)).toBe('"👍👍…');
	});
});

describe("markSentences", () => {
	it("cuts a reply at the sentences of the evidence; what failed wins where two overlap", () => {
		const reply = "Open until ten. Free for all. Open until ten.";
		expect(
			markSentences(reply, [
				{ sentence: "Free for all.", ok: true },
				{ sentence: "for all", ok: false },
				{ sentence: "ten", ok: true },
				{ sentence: "not there", ok: false },
				{ ok: false },
			]),
		).toEqual([
			{ text: "Open until ", tone: null },
			{ text: "ten", tone: "up" },
			{ text: ". ", tone: null },
			{ text: "Free ", tone: "up" },
			{ text: "for all", tone: "down" },
			{ text: ".", tone: "up" },
			{ text: " Open until ", tone: null },
			{ text: "ten", tone: "up" },
			{ text: ".", tone: null },
		]);
		expect(markSentences("", [{ sentence: "x", ok: false }])).toEqual([]);
	});
});

describe("decisiveEvidence", () => {
	const evidence = (item: number | null, ok: boolean, rule = `rule ${item}`): Evidence => ({ item, ok, rule, kind: "fact", dimension: "accuracy" });
	it("is what changed between the two verdicts", () => {
		const before = [evidence(0, true), evidence(1, false), evidence(2, false)];
		const after = [evidence(0, true), evidence(1, true), evidence(2, false), evidence(null, false, "unsupported number"), evidence(null, true, "new and fine")];
		expect(decisiveEvidence(after, before).map((entry) => entry.rule)).toEqual(["rule 1", "unsupported number"]);
		expect(decisiveEvidence(before, after).map((entry) => entry.rule)).toEqual(["rule 1"]);
	});
});
