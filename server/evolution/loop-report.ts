import { points, scorePoints } from "@/server/evaluation";
import type { Comparison, RunSummary } from "@/server/evaluation/contract";
import type { LoopRound } from "./loop-report.contract";

/** A run's scores on the scale of the screen; null where no episode was valid. */
export function reportScores(runId: string | null, summary: RunSummary): NonNullable<LoopRound["dev"]> {
	const { cases, coverage } = summary;
	return { runId, cases, coverage: points(coverage), ...scorePoints(summary, coverage > 0) };
}

/** A comparison on the scale of the screen. */
export function reportComparison(comparison: Comparison, against: string) {
	const pick = (d: "accuracy" | "effectiveness") => {
		const { delta, low, high, p, verdict, nonInferior, fixed, broken } = comparison.dimensions[d];
		return { delta: points(delta), low: points(low), high: points(high), p, verdict, nonInferior, fixed: fixed.length, broken: broken.length };
	};
	return { against, accuracy: pick("accuracy"), effectiveness: pick("effectiveness"), avgDelta: points(comparison.avgDelta) };
}
