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

it("holds for the page that is shipped: its figures are those of the files beside it", () => {
	const page = path.resolve("docs/hat.md");
	expect(fs.readFileSync(page, "utf8")).toContain("<!-- measured: ");
	expect(hatReport(page, true).failed).toBe(false);
});
