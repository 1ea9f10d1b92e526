import { moments } from "../maths/advantages";
import type { Measured } from "./measure-policy";

export type Metric = keyof Measured | "general";

/** One policy of one seed. */
export interface AblationRow {
	policy: string;
	seed: number;
	measured: Measured;
	/** Balanced tool choice and irrelevance on unseen functions; null where the general data is not on the machine. */
	general: number | null;
}

export interface AblationCell {
	mean: number;
	/** Half of the 95 % interval over seeds (Student); null with one seed. */
	margin: number | null;
}

export interface Claim {
	claim: string;
	/** The number that decides, as a mean over seeds, in proportions. */
	value: AblationCell;
	/** What it must reach. */
	needed: number;
	holds: "appears" | "does not appear" | "not measured";
}

/** 97.5 % points of Student's t for 1 … 9 degrees of freedom. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

function cellOf(values: readonly number[]): AblationCell {
	const { mean, std } = moments(values);
	if (values.length < 2) return { mean, margin: null };
	return { mean, margin: ((STUDENT[values.length - 2] ?? 1.96) * std) / Math.sqrt(values.length) };
}

export const METRICS: Metric[] = ["t1", "t2", "heldOut", "t3Tool", "t3Prompt", "skill", "tool", "general"];
const readMetric = (row: AblationRow, metric: Metric): number | null => (metric === "general" ? row.general : row.measured[metric]);

/** Mean and interval of every policy and metric, in the order in which policies first occur. */
export function tabulate(rows: readonly AblationRow[]): { policy: string; cells: Record<string, AblationCell | null> }[] {
	return [...new Set(rows.map((row) => row.policy))].map((policy) => ({
		policy,
		cells: Object.fromEntries(
			METRICS.map((metric) => {
				const values = rows.filter((row) => row.policy === policy).flatMap((row) => readMetric(row, metric) ?? []);
				return [metric, values.length === 0 ? null : cellOf(values)];
			}),
		),
	}));
}

type Reader = (of: (policy: string, metric: Metric) => number) => number;

/** What the report claims, as a number of one seed that must reach a bound; the bounds are ours. */
const CLAIMS: { claim: string; needed: number; read: Reader }[] = [
	{ claim: "HSA-SFT closes four fifths of the T1 − T2 gap of Fixed-SFT", needed: 0.8, read: (of) => closedGap(of) },
	{ claim: "HSA-SFT costs nothing on T1", needed: -0.01, read: (of) => of("hat-sft", "t1") - of("fixed-sft", "t1") },
	{
		claim: "HSA-SFT is above Fixed-SFT on paraphrases that no training saw",
		needed: 0.005,
		read: (of) => of("hat-sft", "heldOut") - of("fixed-sft", "heldOut"),
	},
	{
		claim: "OPD brings general ability back to within one point of the base (Fixed)",
		needed: -0.01,
		read: (of) => of("fixed-opd", "general") - of("base", "general"),
	},
	{ claim: "HSA-RL has the best skill selection", needed: 0, read: (of) => of("hat-rl", "skill") - bestOther(of, "skill") },
	{ claim: "HSA-RL has the best tool rationality", needed: 0, read: (of) => of("hat-rl", "tool") - bestOther(of, "tool") },
	{ claim: "HSA-SFT keeps general ability without OPD", needed: -0.01, read: (of) => of("hat-sft", "general") - of("base", "general") },
	{ claim: "Fixed-RL lowers robustness (T2)", needed: 0.005, read: (of) => of("fixed-opd", "t2") - of("fixed-rl", "t2") },
];

/** A gap below this leaves nothing to close: of ours. */
const SMALLEST_GAP = 0.02;

function closedGap(of: (policy: string, metric: Metric) => number): number {
	const gap = (policy: string) => of(policy, "t1") - of(policy, "t2");
	return gap("fixed-sft") < SMALLEST_GAP ? Number.NaN : 1 - gap("hat-sft") / gap("fixed-sft");
}

const OTHERS = ["base", "fixed-sft", "fixed-opd", "fixed-rl", "hat-sft", "hat-opd"];
const bestOther = (of: (policy: string, metric: Metric) => number, metric: Metric) =>
	Math.max(...OTHERS.map((policy) => of(policy, metric)).filter(Number.isFinite));

/**
 * Which of the report's claims hold here, computed from the numbers of each seed: “appears” when the mean reaches the
 * bound, “not measured” when a part is missing or when there is no gap that could be closed.
 */
export function judgeClaims(rows: readonly AblationRow[]): Claim[] {
	const seeds = [...new Set(rows.map((row) => row.seed))];
	return CLAIMS.map(({ claim, needed, read }) => {
		const values = seeds.map((seed) =>
			read((policy, metric) => {
				const row = rows.find((own) => own.seed === seed && own.policy === policy);
				return (row && readMetric(row, metric)) ?? Number.NaN;
			}),
		);
		const value = cellOf(values);
		return { claim, needed, value, holds: !Number.isFinite(value.mean) ? "not measured" : value.mean >= needed ? "appears" : "does not appear" };
	});
}
