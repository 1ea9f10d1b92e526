import type { Estimate } from "../ablation.contract";
import type { Road, RoadRow } from "./perform-roads";
import { drawSamples, intervalOf, judgeClaim, type Sample, weightedMean } from "./resample";

/** Messages that are answered under each harness before the next edit, where costs are added up: of ours. */
const MESSAGES_BETWEEN_EDITS = 1000;

interface RoadSummary {
	road: Road;
	/** Under the first harness, where every training of the history begins. */
	before: Estimate;
	/** Mean over what the harness became with each edit. */
	t1: Estimate;
	t2: Estimate;
	/** Against one HAT training used unchanged, paired; null for that one. */
	t1AgainstHat: Estimate | null;
	t2AgainstHat: Estimate | null;
	/** Processor milliseconds a message. */
	latency: { p50: number; p95: number };
	/** Processor seconds: of all trainings of the history, of one of them, of answering 1,000 messages, and of all together with so many under each harness. */
	cost: { trainings: number; training: number; perTraining: number; perThousand: number; cumulative: number };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The value at a share of sorted values, the nearest rank; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function costOf(rows: readonly RoadRow[]): RoadSummary["cost"] {
	const harnesses = rows[0]?.trainingSeconds.length ?? 0;
	const spent = rows.flatMap((row) => row.trainingSeconds.filter((seconds) => seconds > 0));
	const training = spent.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, rows.length);
	const perThousand = mean(rows.flatMap((row) => row.messageMs));
	return {
		trainings: spent.length / Math.max(1, rows.length),
		training,
		perTraining: mean(spent),
		perThousand,
		cumulative: training + (harnesses * perThousand * MESSAGES_BETWEEN_EDITS) / 1000,
	};
}

type Read = (road: Road, sample: Sample) => number;

/** What the report argues without a measurement, as numbers: T1 and T2 in proportions, after the edits. */
const CLAIMS: { id: string; claim: string; needed: number; more: boolean; row: "t1" | "t2"; road: Road }[] = [
	{
		id: "retrain-t1",
		claim: "One HAT training is within a point of retraining after every edit, on T1",
		needed: -0.01,
		more: false,
		row: "t1",
		road: "retrain",
	},
	{ id: "retrain-t2", claim: "One HAT training is above retraining after every edit under variants", needed: 0, more: true, row: "t2", road: "retrain" },
	{ id: "entropy-t1", claim: "One HAT training is above making decisions surer at test time, on T1", needed: 0, more: true, row: "t1", road: "adapt-entropy" },
	{
		id: "entropy-t2",
		claim: "One HAT training is above making decisions surer at test time, under variants",
		needed: 0,
		more: true,
		row: "t2",
		road: "adapt-entropy",
	},
	{
		id: "texts-t1",
		claim: "One HAT training is above learning the harness's texts at test time, on T1",
		needed: 0,
		more: true,
		row: "t1",
		road: "adapt-harness",
	},
	{
		id: "texts-t2",
		claim: "One HAT training is above learning the harness's texts at test time, under variants",
		needed: 0,
		more: true,
		row: "t2",
		road: "adapt-harness",
	},
];

/**
 * Quality after the edits, latency and cost of each road, in the order of the rows. Paired like the ablation: one resample
 * takes the same seeds and groups of cases from every road. Times are of the machine that measured.
 */
export function summariseRoads(rows: readonly RoadRow[], groups: readonly string[]) {
	const seeds = [...new Set(rows.map((row) => row.seed))];
	const roads = [...new Set(rows.map((row) => row.road))];
	const rowOf = new Map(rows.map((row) => [`${row.road} ${row.seed}`, row]));
	const { whole, resamples } = drawSamples(seeds, groups, "roads");
	const score = (row: "t1" | "t2", from: number, to?: number): Read => {
		return (road, { seeds: drawn, weights }) =>
			mean(drawn.map((seed) => mean((rowOf.get(`${road} ${seed}`)?.[row].slice(from, to) ?? [[]]).map((scores) => weightedMean(scores, weights)))));
	};
	const read = { t1: score("t1", 1), t2: score("t2", 1) };
	const estimate = (of: (sample: Sample) => number): Estimate => intervalOf(of(whole), resamples.map(of));
	const hatMinus = (road: Road, row: "t1" | "t2"): Estimate | null =>
		roads.includes(road) && roads.includes("hat-once") ? estimate((sample) => read[row]("hat-once", sample) - read[row](road, sample)) : null;
	const against = (road: Road, row: "t1" | "t2") =>
		road === "hat-once" ? null : estimate((sample) => read[row](road, sample) - read[row]("hat-once", sample));
	const table = roads.map((road): RoadSummary => {
		const own = rows.filter((row) => row.road === road);
		const times = own.flatMap((row) => row.messageMs);
		return {
			road,
			before: estimate((sample) => score("t1", 0, 1)(road, sample)),
			t1: estimate((sample) => read.t1(road, sample)),
			t2: estimate((sample) => read.t2(road, sample)),
			t1AgainstHat: against(road, "t1"),
			t2AgainstHat: against(road, "t2"),
			latency: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
			cost: costOf(own),
		};
	});
	return { table, claims: CLAIMS.map((own) => judgeClaim(own, hatMinus(own.road, own.row))), messagesBetweenEdits: MESSAGES_BETWEEN_EDITS };
}
