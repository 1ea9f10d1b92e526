import type { Comparison, Interval, RunSummary } from "@/server/evaluation/contract";
import type { LoopRound } from "./loop-report.contract";

const points = (value: number) => Math.round(value * 1e6) / 1e4;
const score = ({ value, low, high }: Interval) => ({ value: points(value), low: points(low), high: points(high) });

/** A run's scores on the scale of the screen. */
export function reportScores(runId: string | null, summary: RunSummary): NonNullable<LoopRound["dev"]> {
	const { cases, coverage, accuracy, effectiveness, avg } = summary;
	return { runId, cases, coverage: points(coverage), accuracy: score(accuracy), effectiveness: score(effectiveness), avg: score(avg) };
}

/** A comparison on the scale of the screen. */
export function reportComparison(comparison: Comparison, against: string) {
	const pick = (d: "accuracy" | "effectiveness") => {
		const { delta, low, high, p, verdict, nonInferior, fixed, broken } = comparison.dimensions[d];
		return { delta: points(delta), low: points(low), high: points(high), p, verdict, nonInferior, fixed: fixed.length, broken: broken.length };
	};
	return { against, accuracy: pick("accuracy"), effectiveness: pick("effectiveness"), avgDelta: points(comparison.avgDelta) };
}
