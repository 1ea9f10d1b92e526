import type { Comparison } from "@/server/evaluation/contract";
import type { EvolutionOverview, HeatCell, OverviewRound } from "./overview.contract";
import type { OverviewFacts } from "./overview-facts";

type Dimension = "accuracy" | "effectiveness";

const EMPTY: HeatCell = { value: null, delta: null, verdict: null, significant: false, fixed: 0, broken: 0, alarm: false, acknowledged: false };
const SIGNIFICANT = new Set(["improved", "regressed", "slightly-better", "slightly-worse"]);

/** Category × round on test: value, change against that round's anchor, Holm marks and alarms. All cases first. Pure. */
export function buildHeatmap(rounds: readonly OverviewRound[], facts: OverviewFacts): EvolutionOverview["heatmap"] {
	const shown = rounds.filter((r) => r.status !== "open");
	const summaries = shown.map((r) => facts.runs.get(r.test?.runId ?? "")?.summary ?? null);
	const categories = new Map<string, number>();
	for (const summary of summaries)
		for (const row of summary?.perCategory ?? []) categories.set(row.category, Math.max(categories.get(row.category) ?? 0, row.cases));
	const order = [...categories].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
	const cells = (category: string | null, dimension: Dimension) =>
		shown.map((round, i): HeatCell => {
			const summary = summaries[i];
			const scores = category === null ? summary : summary?.perCategory.find((row) => row.category === category);
			if (!scores) return EMPTY;
			const comparison = facts.comparisons.get(round.index)?.againstAnchor ?? null;
			return { ...EMPTY, value: scores[dimension].value, ...changeOf(comparison, category, dimension, facts) };
		});
	const row = (category: string | null, cases: number) => ({
		category,
		cases,
		accuracy: cells(category, "accuracy"),
		effectiveness: cells(category, "effectiveness"),
	});
	const total = Math.max(0, ...summaries.map((s) => s?.cases ?? 0));
	return { rounds: shown.map((r) => r.name), rows: total === 0 ? [] : [row(null, total), ...order.map(([category, cases]) => row(category, cases))] };
}

function changeOf(comparison: Comparison | null, category: string | null, dimension: Dimension, facts: OverviewFacts): Partial<HeatCell> {
	if (!comparison) return {};
	const compared = category === null ? comparison.dimensions[dimension] : comparison.perCategory.find((row) => row.category === category)?.[dimension];
	if (!compared) return {};
	const alarm = category !== null && comparison.alarms.some((a) => a.category === category && a.dimension === dimension);
	return {
		delta: compared.delta,
		verdict: compared.verdict,
		significant: SIGNIFICANT.has(compared.verdict),
		fixed: compared.fixed.length,
		broken: compared.broken.length,
		alarm,
		acknowledged: alarm && facts.acknowledgements.some((a) => a.runId === comparison.runId && a.baseRunId === comparison.baseRunId && a.category === category),
	};
}
