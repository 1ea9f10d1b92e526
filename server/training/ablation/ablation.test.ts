import { expect, it } from "vitest";
import { initialParameters } from "@/server/compact";
import { HAT_DEFAULTS } from "../stages/settings";
import { LAMP_CASES, openLampShop } from "../testing/lamp-shop";
import { runAblation } from "./run-ablation";
import { type AblationRow, judgeClaims, tabulate } from "./summarise-ablation";

const row = (policy: string, seed: number, values: Partial<AblationRow["measured"]>, general: number | null = 0.8): AblationRow => ({
	policy,
	seed,
	measured: { t1: 0.9, t2: 0.9, heldOut: 0.5, t3Tool: 0.5, t3Prompt: 0.5, skill: 0.5, tool: 0.5, ...values },
	general,
});
const holds = (rows: AblationRow[], part: string) => judgeClaims(rows).find(({ claim }) => claim.includes(part))?.holds;

it("prints mean and Student's interval over seeds, and nothing where nothing was measured", () => {
	const [cells] = tabulate([row("base", 1, { t1: 0.4 }, null), row("base", 2, { t1: 0.5 }, null), row("base", 3, { t1: 0.6 }, null)]);
	expect(cells?.cells.t1?.mean).toBeCloseTo(0.5, 10);
	expect(cells?.cells.t1?.margin).toBeCloseTo((4.303 * 0.1) / Math.sqrt(3), 6);
	expect(cells?.cells.general).toBeNull();
	expect(tabulate([row("base", 1, {})])[0]?.cells.t1?.margin).toBeNull();
});

it("says whether a claim appears from the numbers alone", () => {
	const gap = (hatT2: number, fixedT2 = 0.5) => [row("fixed-sft", 1, { t2: fixedT2 }), row("hat-sft", 1, { t2: hatT2 })];
	expect(holds(gap(0.85), "four fifths")).toBe("appears");
	expect(holds(gap(0.7), "four fifths")).toBe("does not appear");
	// No gap, nothing to close: neither yes nor no.
	expect(holds(gap(0.9, 0.895), "four fifths")).toBe("not measured");
	expect(holds([row("base", 1, {}, 0.8), row("fixed-opd", 1, {}, 0.795)], "back to within one point")).toBe("appears");
	expect(holds([row("base", 1, {}, 0.8), row("fixed-opd", 1, {}, 0.75)], "back to within one point")).toBe("does not appear");
	expect(holds([row("base", 1, {}, null), row("fixed-opd", 1, {}, null)], "back to within one point")).toBe("not measured");
	expect(holds([row("fixed-opd", 1, { t2: 0.5 }), row("fixed-rl", 1, { t2: 0.6 })], "Fixed-RL")).toBe("does not appear");
});

it("trains and measures every row, each case on each kind of harness", async () => {
	const { playground, stage } = openLampShop();
	const variant = { ...stage, id: "variant-0" };
	const rows = await runAblation({
		base: initialParameters(1),
		seeds: [1, 2],
		cases: { training: LAMP_CASES, measured: LAMP_CASES.slice(0, 4) },
		trainingStages: async () => [stage, variant],
		rows: { original: stage, t2: [variant], heldOut: [variant], tool: [variant], prompt: [variant] },
		general: null,
		training: playground,
		measuring: playground,
		settings: { ...HAT_DEFAULTS, sft: { ...HAT_DEFAULTS.sft, epochs: 2 }, rl: { ...HAT_DEFAULTS.rl, iterations: 1, prompts: 2, group: 2 } },
		signal: new AbortController().signal,
	});
	const ofRecipe = (recipe: string) => [`${recipe}-sft`, `${recipe}-rl`, `${recipe}, identity off`, `${recipe}, overlap off`];
	for (const seed of [1, 2])
		expect(rows.filter((own) => own.seed === seed).map(({ policy }) => policy)).toEqual(["overlap alone", "base", ...ofRecipe("fixed"), ...ofRecipe("hat")]);
	for (const { measured } of rows) {
		expect(measured.t2).toBe(measured.t1);
		expect(Object.values(measured).every((value) => value >= 0 && value <= 1)).toBe(true);
	}
});
