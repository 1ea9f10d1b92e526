import type { Comparison } from "@/server/evaluation/contract";
import type { ChangeManifest } from "./contract";
import type { Prediction } from "./views.contract";

/**
 * What a manifest said would happen on dev beside what happened. A case counts as fixed (broken) when it became better
 * (worse) in either dimension; one that became better in one and worse in the other counts as both. Pure.
 */
export function comparePrediction(manifest: Pick<ChangeManifest, "predictedFixes" | "predictedBreaks">, comparison: Comparison): Prediction {
	const { accuracy, effectiveness } = comparison.dimensions;
	const fixed = new Set([...accuracy.fixed, ...effectiveness.fixed]);
	const broken = new Set([...accuracy.broken, ...effectiveness.broken]);
	const split = (predicted: readonly string[], happened: ReadonlySet<string>) => ({
		happened: predicted.filter((id) => happened.has(id)),
		missed: predicted.filter((id) => !happened.has(id)),
		rest: [...happened].filter((id) => !predicted.includes(id)),
	});
	const fixes = split(manifest.predictedFixes, fixed);
	const breaks = split(manifest.predictedBreaks, broken);
	return {
		fixes: { happened: fixes.happened, missed: fixes.missed, extra: fixes.rest },
		breaks: { happened: breaks.happened, missed: breaks.missed, surprise: breaks.rest },
	};
}
