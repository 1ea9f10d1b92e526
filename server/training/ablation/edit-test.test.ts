import { expect, it } from "vitest";
import type { EditTestRow } from "./perform-edit-test";
import { summariseEditTest } from "./summarise-edit-test";

const CASES = 60;
const groups = Array.from({ length: CASES }, (_value, i) => `g${i}`);
/** Wrong before: the first 40 cases; fixed: the first `fixed` of them; broken: the last `broken` cases. */
function row(policy: EditTestRow["policy"], seed: number, fixed: number, broken = 0): EditTestRow {
	const before = groups.map((_group, i) => (i < 40 ? 0.5 : 1));
	const after = before.map((score, i) => (i < fixed ? 1 : i >= CASES - broken ? 0 : score));
	return { policy, seed, before, after };
}

it("counts what an edit fixed and broke, paired by case, half marks being an error", () => {
	const { effects } = summariseEditTest([row("base", 0, 10), row("fixed", 1, 20, 5), row("fixed", 2, 20, 5), row("hat", 1, 30), row("hat", 2, 30)], groups);
	const of = (policy: string) => effects.find((effect) => effect.policy === policy);
	expect(of("base")).toMatchObject({ errorsBefore: 40, errorsAfter: 30, fixed: { value: 0.25 }, broken: { value: 0 }, change: { value: -0.25 } });
	expect(of("fixed")).toMatchObject({ errorsBefore: 40, errorsAfter: 25, fixed: { value: 0.5 }, broken: { value: 0.25 }, change: { value: -0.375 } });
	for (const { fixed } of effects) expect(fixed.low <= fixed.value && fixed.value <= fixed.high).toBe(true);
});

it("says that HAT fixes more only where the whole interval of the paired difference does", () => {
	const both = (hat: number) => [row("base", 0, 10), row("fixed", 1, 20), row("hat", 1, hat)];
	expect(summariseEditTest(both(30), groups).hatMinusFixed).toMatchObject({ value: 0.25, holds: "appears" });
	expect(summariseEditTest(both(21), groups).hatMinusFixed.holds).toBe("does not appear");
	expect(summariseEditTest(both(10), groups).hatMinusFixed).toMatchObject({ value: -0.25, holds: "does not appear" });
	expect(summariseEditTest(both(30), groups)).toEqual(summariseEditTest(both(30), groups));
});
