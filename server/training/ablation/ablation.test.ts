import { expect, it } from "vitest";
import { initialParameters } from "@/server/compact";
import { HAT_DEFAULTS } from "../stages/settings";
import { LAMP_CASES, openLampShop } from "../testing/lamp-shop";
import { naiveBayes } from "./naive-bayes";
import { ROWS, type RowName, type Rows } from "./open-rows";
import { type AblationPart, type AblationRow, ANY_SEED, runAblation } from "./run-ablation";
import { summariseAblation } from "./summarise-ablation";

const CASES = 40;
const GROUPS = Array.from({ length: CASES }, (_value, i) => `g${i >> 1}`);
/** A row in which a share of the cases is right, the first ones. */
function row(policy: string, seed: number, shares: Partial<Record<RowName | "skill", number>>, general: number | null = 0.8): AblationRow {
	const marks = (share: number, size = CASES) => Array.from({ length: size }, (_value, i) => (i < share * size ? 1 : 0));
	return {
		policy,
		seed,
		measured: {
			rows: Object.fromEntries(ROWS.map((name) => [name, marks(shares[name] ?? 0.5)])) as Record<RowName, number[]>,
			skill: marks(shares.skill ?? 0.5),
			tool: Array.from({ length: CASES }, () => null),
		},
		general: general === null ? null : { choice: marks(general, 100), irrelevance: marks(general, 100) },
	};
}
const claimOf = (rows: AblationRow[], part: string) => summariseAblation(rows, GROUPS).claims.find(({ claim }) => claim.includes(part));

it("prints means with an interval that pairs policies, and nothing where nothing was measured", () => {
	const rows = [1, 2, 3].flatMap((seed) => [row("base", seed, { t1: 0.5, t2: 0.45 }, null)]);
	const [base] = summariseAblation(rows, GROUPS).table;
	expect(base?.cells.t1?.value).toBeCloseTo(0.5, 10);
	expect(base?.cells.t1?.low).toBeLessThan(0.45);
	expect(base?.cells.general).toBeNull();
	expect(base?.cells.tool).toBeNull();
	// Unpaired, the interval of a difference of two such shares would be three times as wide.
	const { gap, cells } = base ?? {};
	expect((gap?.high ?? 1) - (gap?.low ?? 0)).toBeLessThan(((cells?.t1?.high ?? 0) - (cells?.t1?.low ?? 0)) / 1.5);
	expect(summariseAblation(rows, GROUPS)).toEqual(summariseAblation(rows, GROUPS));
});

it("says whether a claim appears from the numbers alone", () => {
	const gap = (hatT2: number, fixedT2 = 0.5) =>
		[1, 2].flatMap((seed) => [row("fixed-sft", seed, { t1: 0.9, t2: fixedT2 }), row("hat-sft", seed, { t1: 0.9, t2: hatT2 })]);
	expect(claimOf(gap(0.85), "four fifths")?.holds).toBe("appears");
	expect(claimOf(gap(0.7), "four fifths")).toMatchObject({ holds: "does not appear" });
	// No gap, nothing to close: neither yes nor no.
	expect(claimOf(gap(0.9, 0.9), "four fifths")?.holds).toBe("not measured");
	// A mean above 0 is not enough where the interval reaches below it.
	expect(claimOf(gap(0.525), "inside the envelope")).toMatchObject({ holds: "does not appear", certain: false });
	expect(claimOf(gap(0.8), "inside the envelope")?.holds).toBe("appears");
	const general = (opd: number | null) => [row("base", 1, {}, opd === null ? null : 0.8), row("fixed-opd", 1, {}, opd)];
	expect(claimOf(general(0.8), "back to within one point")?.holds).toBe("appears");
	expect(claimOf(general(0.7), "back to within one point")?.holds).toBe("does not appear");
	expect(claimOf(general(null), "back to within one point")?.holds).toBe("not measured");
});

it("trains and measures every row, a seed's rows whatever the other seeds are", async () => {
	const { playground, stage } = openLampShop();
	const variant = { ...stage, id: "variant-0" };
	const run = (parts: AblationPart[]) =>
		runAblation({
			base: initialParameters(1),
			parts,
			shares: { sft: LAMP_CASES.slice(0, 8), rl: LAMP_CASES.slice(8), sample: [] },
			measured: LAMP_CASES.slice(0, 4),
			trainingStages: async () => [stage, variant],
			rows: Object.fromEntries(ROWS.map((name) => [name, [stage]])) as unknown as Rows,
			general: null,
			generalSplit: "report",
			training: playground,
			measuring: playground,
			settings: { ...HAT_DEFAULTS, sft: { ...HAT_DEFAULTS.sft, epochs: 2 }, rl: { ...HAT_DEFAULTS.rl, iterations: 1, prompts: 2, group: 2 } },
			signal: new AbortController().signal,
		});
	const both = [1, 2].flatMap((seed): AblationPart[] => [
		{ seed, recipe: "fixed" },
		{ seed, recipe: "fixed-other" },
		{ seed, recipe: "hat" },
		{ seed, recipe: "hat-other" },
	]);
	const rows = await run([{ seed: ANY_SEED, recipe: "untrained" }, ...both]);
	const ofRecipe = (recipe: string) => [
		`${recipe}-sft`,
		`${recipe}-rl`,
		`${recipe}-rl, identity off`,
		`${recipe}-rl, lexical off`,
		`${recipe}-sft, encoder at a tenth`,
	];
	const policiesOf = (seed: number) => rows.filter((own) => own.seed === seed).map(({ policy }) => policy);
	expect(policiesOf(ANY_SEED)).toEqual(["lexical-only", "base", "naive-bayes"]);
	for (const seed of [1, 2]) expect(policiesOf(seed)).toEqual([...ofRecipe("fixed"), ...ofRecipe("hat")]);
	for (const { measured } of rows) expect(measured.rows.t2).toEqual(measured.rows.t1);
	expect(await run([{ seed: 2, recipe: "hat-other" }])).toEqual(rows.filter((own) => own.seed === 2 && own.policy === "hat-sft, encoder at a tenth"));
	expect(summariseAblation(rows, ["a", "b", "c", "d"]).table).toHaveLength(13);
});

it("knows by naive Bayes what the wording gives away, and nothing of a name it has not met", () => {
	const decision = (gram: number, id: string) => ({
		kind: "skill" as const,
		situation: { buckets: Uint32Array.from([gram]), weights: Float32Array.from([1]) },
		candidates: ["a", "b", id].map((name) => ({ id: name, features: null, identity: 0, lexical: 0, plan: 0, none: 0 })),
	});
	const learnt = ["a", "b", "a", "b"].map((id, i) => ({
		caseKey: `${i}`,
		stage: "original",
		retries: "none" as const,
		decisions: [{ input: decision(id === "a" ? 1 : 2, "x"), chosen: id === "a" ? 0 : 1, weight: 1 }],
	}));
	const choose = naiveBayes(learnt);
	expect([choose(decision(1, "x"), new Float64Array(3)), choose(decision(2, "x"), new Float64Array(3))]).toEqual([0, 1]);
});
