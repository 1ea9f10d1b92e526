import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { fillMeasured, hatReport } from "./hat-report";

const estimate = { value: 0.5, low: 0.4, high: 0.6 };
const measured = JSON.stringify({
	workspace: "lamps",
	split: "test",
	seeds: 3,
	cases: { sft: 10, rl: 5, simulated: 0, dev: 3, measured: 7 },
	seconds: { wall: 1, cpu: 2 },
	table: [{ policy: "base", cells: { t1: estimate, general: null }, gap: estimate }],
	claims: [
		{ claim: "first", estimate, needed: 0.45, holds: "appears", certain: false },
		{ claim: "second", estimate: null, needed: 0, holds: "not measured", certain: false },
	],
});

it("prints what was measured, and nothing else, between its marks", () => {
	const page = "before\n<!-- measured: a/b.json -->\nold\n<!-- end -->\nafter";
	const filled = fillMeasured(page, (file) => (file === "a/b.json" ? measured : ""));
	expect(filled).toMatch(/^before\n<!-- measured: a\/b\.json -->\n`lamps`: 7 cases of `test`, 3 seeds/u);
	expect(filled).toContain("| base | 50.0 ± 10.0 | – |");
	expect(filled).toContain("| first | 45.0 | 50.0 (40.0 … 60.0) | appears, the interval reaches over the bound |");
	expect(filled).toContain("| second | 0.0 | – | not measured |");
	expect(filled).toMatch(/<!-- end -->\nafter$/u);
	expect(fillMeasured(filled, () => measured)).toBe(filled);
	expect(() => fillMeasured(page, () => "{}")).toThrowError(expect.objectContaining({ reason: "bad-options" }));
});

it("prints roads with their latency and cost", () => {
	const roads = {
		...{ kind: "roads", workspace: "lamps", split: "test", seeds: 1, edits: { all: 9, measured: 3 }, cases: { sft: 10, rl: 5, measured: 7 } },
		...{ machine: { processor: "Xeon", node: "v20" }, messagesBetweenEdits: 1000, claims: [] },
		table: [
			{
				...{ road: "retrain", before: estimate, t1: estimate, t2: estimate, t1AgainstHat: { value: -0.02, low: -0.03, high: 0 }, t2AgainstHat: null },
				...{ latency: { p50: 1.234, p95: 2 }, cost: { trainings: 4, training: 240, perTraining: 60, perThousand: 1.5, cumulative: 246 } },
			},
		],
	};
	const filled = fillMeasured("<!-- measured: r.json -->\n<!-- end -->", () => JSON.stringify(roads));
	expect(filled).toContain("`lamps`: 7 cases of `test` after each of 3 edits of 9, evenly apart, 1 seed;");
	expect(filled).toContain("| retrain | 50.0 ± 10.0 | 50.0 ± 10.0 | 50.0 ± 10.0 | −2.0 ± 1.5 | – | 1.23 | 2.00 | 4 | 60 | 1.5 | 246 |");
});

it("holds for the page that is shipped: its figures are those of the files beside it", () => {
	const page = path.resolve("docs/hat.md");
	expect(fs.readFileSync(page, "utf8")).toContain("<!-- measured: ");
	expect(hatReport(page, true).failed).toBe(false);
});
