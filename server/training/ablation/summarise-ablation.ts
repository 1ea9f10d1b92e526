import { createRandom } from "@/server/kernel/random";
import type { AblationDocument, Estimate } from "../ablation.contract";
import { ROWS, type RowName } from "./open-rows";
import { drawCounts, intervalOf, judgeClaim, RESAMPLES, unitsOf, weightedMean } from "./resample";
import { type AblationRow, ANY_SEED } from "./run-ablation";

type Metric = RowName | "skill" | "tool" | "general";
const METRICS: Metric[] = [...ROWS, "skill", "tool", "general"];

/** Seed of the resamples: of ours. */
const RESAMPLE_SEED = "ablation";
/** A gap below this leaves nothing to close: of ours. */
const SMALLEST_GAP = 0.02;

/** What is averaged in one resample: how often each seed, case and general request counts. */
interface Weights {
	seeds: readonly number[];
	cases: Float64Array;
	choice: Float64Array;
	irrelevance: Float64Array;
}

type Read = (policy: string, metric: Metric) => number;

function scoreOf({ measured, general }: AblationRow, metric: Metric, weights: Weights): number {
	if (metric === "general")
		return general ? (weightedMean(general.choice, weights.choice) + weightedMean(general.irrelevance, weights.irrelevance)) / 2 : Number.NaN;
	if (metric === "skill" || metric === "tool") return weightedMean(measured[metric], weights.cases);
	return weightedMean(measured.rows[metric], weights.cases);
}

/** The rows of an ablation, read whole or in resamples of seeds and of groups of near-duplicates. */
class Table {
	private readonly byPolicy = new Map<string, Map<number, AblationRow>>();
	readonly policies: string[];
	readonly seeds: number[];
	readonly whole: Weights;
	private readonly groups: number[][];
	private readonly general: { choice: number; irrelevance: number };

	constructor(rows: readonly AblationRow[], groupKeys: readonly string[]) {
		for (const row of rows) {
			const own = this.byPolicy.get(row.policy) ?? new Map<number, AblationRow>();
			this.byPolicy.set(row.policy, own.set(row.seed, row));
		}
		this.policies = [...this.byPolicy.keys()];
		const seeds = [...new Set(rows.map((row) => row.seed))];
		this.seeds = seeds.filter((seed) => seed !== ANY_SEED);
		if (this.seeds.length === 0) this.seeds = seeds;
		this.groups = unitsOf(groupKeys);
		const general = rows.find((row) => row.general)?.general;
		this.general = { choice: general?.choice.length ?? 0, irrelevance: general?.irrelevance.length ?? 0 };
		const ones = (size: number) => new Float64Array(size).fill(1);
		this.whole = { seeds: this.seeds, cases: ones(groupKeys.length), choice: ones(this.general.choice), irrelevance: ones(this.general.irrelevance) };
	}

	reader(weights: Weights): Read {
		return (policy, metric) => {
			const values = weights.seeds.map((seed) => {
				const own = this.byPolicy.get(policy);
				const row = own?.get(seed) ?? own?.get(ANY_SEED);
				return row ? scoreOf(row, metric, weights) : Number.NaN;
			});
			return values.reduce((sum, value) => sum + value, 0) / values.length;
		};
	}

	resamples(): Weights[] {
		const random = createRandom(RESAMPLE_SEED);
		return Array.from({ length: RESAMPLES }, () => ({
			seeds: this.seeds.map(() => random.pick(this.seeds)),
			cases: drawCounts(this.whole.cases.length, this.groups, random.int),
			choice: drawCounts(this.general.choice, null, random.int),
			irrelevance: drawCounts(this.general.irrelevance, null, random.int),
		}));
	}
}

function estimate(whole: Read, resampled: readonly Read[], read: (of: Read) => number): Estimate | null {
	const value = read(whole);
	if (!Number.isFinite(value)) return null;
	return intervalOf(value, resampled.map(read));
}

const gapOf = (of: Read, policy: string) => of(policy, "t1") - of(policy, "t2");
const TRAINED = ["fixed-sft", "fixed-opd", "fixed-rl", "hat-sft", "hat-opd", "hat-rl"];
const bestOther = (of: Read, metric: Metric) =>
	Math.max(
		...TRAINED.filter((policy) => policy !== "hat-rl")
			.map((policy) => of(policy, metric))
			.filter(Number.isFinite),
	);

/** What the report claims, as a number that must reach a bound. A claim of “more” must also have its whole interval above 0. */
const CLAIMS: { id: string; claim: string; needed: number; more: boolean; read: (of: Read) => number }[] = [
	{
		id: "fixed-opens-gap",
		claim: "Fixed-SFT opens a gap between T1 and T2 that the base does not have",
		needed: 0.02,
		more: true,
		read: (of) => gapOf(of, "fixed-sft") - gapOf(of, "base"),
	},
	{
		id: "hsa-closes-gap",
		claim: "HSA-SFT closes four fifths of the T1 − T2 gap of Fixed-SFT",
		needed: 0.8,
		more: false,
		read: (of) => (gapOf(of, "fixed-sft") < SMALLEST_GAP ? Number.NaN : 1 - gapOf(of, "hat-sft") / gapOf(of, "fixed-sft")),
	},
	{
		id: "hsa-smaller-gap",
		claim: "HSA-SFT has a smaller T1 − T2 gap than Fixed-SFT",
		needed: 0,
		more: true,
		read: (of) => gapOf(of, "fixed-sft") - gapOf(of, "hat-sft"),
	},
	{ id: "hsa-keeps-t1", claim: "HSA-SFT costs at most one point on T1", needed: -0.01, more: false, read: (of) => of("hat-sft", "t1") - of("fixed-sft", "t1") },
	{
		id: "hsa-inside",
		claim: "HSA-SFT is above Fixed-SFT inside the envelope",
		needed: 0,
		more: true,
		read: (of) => of("hat-sft", "t2") - of("fixed-sft", "t2"),
	},
	{
		id: "hsa-held-out",
		claim: "HSA-SFT is above Fixed-SFT on paraphrases that no training saw",
		needed: 0,
		more: true,
		read: (of) => of("hat-sft", "heldOut") - of("fixed-sft", "heldOut"),
	},
	{
		id: "hat-held-out",
		claim: "HSA-RL is above Fixed-RL on paraphrases that no training saw",
		needed: 0,
		more: true,
		read: (of) => of("hat-rl", "heldOut") - of("fixed-rl", "heldOut"),
	},
	{
		id: "opd-restores-general",
		claim: "OPD brings general ability back to within one point of the base (Fixed)",
		needed: -0.01,
		more: false,
		read: (of) => of("fixed-opd", "general") - of("base", "general"),
	},
	{
		id: "rl-best-skill",
		claim: "HSA-RL has the best skill selection of the table",
		needed: 0,
		more: true,
		read: (of) => of("hat-rl", "skill") - bestOther(of, "skill"),
	},
	{
		id: "rl-best-tool",
		claim: "HSA-RL has the best tool rationality of the table",
		needed: 0,
		more: true,
		read: (of) => of("hat-rl", "tool") - bestOther(of, "tool"),
	},
	{
		id: "hsa-keeps-general",
		claim: "HSA-SFT keeps general ability to within one point without OPD",
		needed: -0.01,
		more: false,
		read: (of) => of("hat-sft", "general") - of("base", "general"),
	},
	{
		id: "opd-changes-little",
		claim: "OPD changes T1 and general ability of the HSA path by at most one point",
		needed: -0.01,
		more: false,
		read: (of) => -Math.max(Math.abs(of("hat-opd", "t1") - of("hat-sft", "t1")), Math.abs(of("hat-opd", "general") - of("hat-sft", "general"))),
	},
	{
		id: "fixed-rl-less-robust",
		claim: "Fixed-RL lowers robustness (T2) in absolute terms",
		needed: 0,
		more: true,
		read: (of) => of("fixed-opd", "t2") - of("fixed-rl", "t2"),
	},
	{ id: "hsa-rl-robust", claim: "HSA-RL raises robustness (T2)", needed: 0, more: true, read: (of) => of("hat-rl", "t2") - of("hat-opd", "t2") },
	{
		id: "order-costs",
		claim: "Reordered prompts and moved limits alone cost Fixed-SFT more than one point",
		needed: 0.01,
		more: true,
		read: (of) => of("fixed-sft", "t1") - of("fixed-sft", "t3Prompt"),
	},
	{
		id: "names-cost",
		claim: "Other names alone cost Fixed-SFT more than one point",
		needed: 0.01,
		more: true,
		read: (of) => of("fixed-sft", "t1") - of("fixed-sft", "renamed"),
	},
];

/** Names the claims of a file that is older than their names; a claim of another version keeps its own words. */
export function nameClaims(document: AblationDocument): AblationDocument {
	const idOf = (claim: string) => CLAIMS.find((own) => own.claim === claim)?.id;
	return { ...document, claims: document.claims.map((one) => ({ ...one, id: one.id ?? idOf(one.claim) })) };
}

/**
 * The table, in the order in which policies first occur, and what of the report's claims appears here. Everything is paired:
 * one resample takes the same seeds and the same groups of cases from every policy. Intervals are percentiles of 1,000
 * resamples of seeds and groups; with three seeds they say more of the cases than of the seeds.
 */
export function summariseAblation(rows: readonly AblationRow[], groups: readonly string[]) {
	const table = new Table(rows, groups);
	const whole = table.reader(table.whole);
	const resampled = table.resamples().map((weights) => table.reader(weights));
	return {
		table: table.policies.map((policy) => ({
			policy,
			cells: Object.fromEntries(METRICS.map((metric) => [metric, estimate(whole, resampled, (of) => of(policy, metric))])),
			gap: estimate(whole, resampled, (of) => gapOf(of, policy)),
		})),
		claims: CLAIMS.map((own) => judgeClaim(own, estimate(whole, resampled, own.read))),
	};
}
