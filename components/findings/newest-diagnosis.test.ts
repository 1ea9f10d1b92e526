import { describe, expect, it } from "vitest";
import { allRejected, newestDiagnosis } from "./newest-diagnosis";
import type { Finding } from "./types";

const finding = (number: number, runId: string, caseIds: string[], failed: number, status: Finding["status"] = "proposed") =>
	({ number, runId, caseIds, cases: caseIds.length, share: caseIds.length / failed, status, engine: "built-in" }) as Finding;

describe("newestDiagnosis", () => {
	it("has nothing to say before the first", () => {
		expect(newestDiagnosis([])).toEqual({ runId: null, runNumber: null, findings: [], failed: 0, held: 0 });
	});

	it("counts clusters whatever was decided about them", () => {
		const all = [finding(1, "r1", ["a", "b"], 10, "rejected"), finding(2, "r1", ["c"], 10, "addressed")];
		expect(newestDiagnosis(all)).toMatchObject({ runId: "r1", failed: 10, held: 3 });
		expect(newestDiagnosis(all).findings).toHaveLength(2);
	});

	it("never mixes the failures of two runs", () => {
		const all = [finding(1, "r1", ["a", "b", "c"], 30, "accepted"), finding(5, "r2", ["a"], 4), finding(4, "r2", ["b"], 4, "rejected")];
		expect(newestDiagnosis(all)).toMatchObject({ runId: "r2", failed: 4, held: 2 });
		expect(newestDiagnosis(all).findings.map((f) => f.number)).toEqual([5, 4]);
	});

	it("tells two diagnoses of one run apart", () => {
		const before = { ...finding(1, "r", ["a", "b"], 3, "rejected"), taskId: "t1" };
		const again = { ...finding(2, "r", ["a"], 3), taskId: "t2" };
		expect(newestDiagnosis([before, again])).toMatchObject({ findings: [again], failed: 3, held: 1 });
	});

	it("leaves out what a trigger opened, whatever run it is about", () => {
		const opened = { ...finding(9, "r", ["a", "b", "c"], 3), engine: "trigger: Nightly" };
		expect(newestDiagnosis([finding(1, "r", ["a"], 4), opened])).toMatchObject({ runId: "r", failed: 4, held: 1 });
		expect(newestDiagnosis([opened])).toEqual({ runId: null, runNumber: null, findings: [], failed: 0, held: 0 });
	});

	it("counts a case that two clusters share once", () => {
		expect(newestDiagnosis([finding(1, "r", ["a", "b"], 5), finding(2, "r", ["b"], 5)]).held).toBe(2);
	});
});

describe("allRejected", () => {
	const of = (...statuses: Finding["status"][]) => statuses.map((status, i) => finding(i + 1, "r2", ["a"], 4, status));
	const earlier = (status: Finding["status"]) => finding(9, "r1", ["b"], 4, status);
	it.each([
		["nothing was diagnosed", [], [], false],
		["all of it", of("rejected", "rejected"), [], true],
		["one is open", of("rejected", "proposed"), [], false],
		["one landed", of("rejected", "addressed"), [], false],
		["an earlier one landed", of("rejected"), [earlier("addressed")], true],
		["an earlier one waits for an edit", of("rejected"), [earlier("modified")], false],
	])("%s", (_name, newest, before, expected) => {
		expect(allRejected([...newest, ...before], newest)).toBe(expected);
	});
});
