import { LRUCache } from "lru-cache";
import type { RobustnessGap, VariantPlan } from "@/server/evaluation/contract";
import { findRunMap } from "./comparisons";
import { roundName } from "./early-stop-state";
import type { GapView, OverviewRound, RobustnessRow } from "./overview.contract";
import type { EvolutionDeps, RunView } from "./ports";
import type { RoundRow } from "./rows";

/** Finished runs never change, so neither does the gap of two. */
const cache = new LRUCache<string, RobustnessGap>({ max: 300 });

async function gapOf(deps: EvolutionDeps, base: RunView | undefined, run: RunView): Promise<RobustnessGap | null> {
	if (base?.status !== "done" || run.status !== "done") return null;
	const key = `${base.id}/${base.done}/${run.id}/${run.done}`;
	const known = cache.get(key) ?? (await deps.evaluation.gap(base.id, run.id));
	cache.set(key, known);
	return known;
}

/** What a row of T2 or T3 is called. */
const rowName = ({ suite, book }: VariantPlan): string =>
	suite === "t3-tool" ? "tools" : suite === "t3-prompt" ? "prompts" : book === "held-out" ? "held-out-paraphrases" : "inside-envelope";

/** T2 and T3 of rounds, by round: their figures, and what each loses against the round's own test run. */
export async function describeRobustness(deps: EvolutionDeps, rounds: readonly RoundRow[]): Promise<Map<string, RobustnessRow[]>> {
	const runs = await findRunMap(
		deps,
		rounds.flatMap((round) => [round.testRunId, ...round.variantRunIds]),
	);
	const found = new Map<string, RobustnessRow[]>();
	for (const round of rounds) {
		const rows: RobustnessRow[] = [];
		for (const id of round.variantRunIds) {
			const run = runs.get(id);
			if (!run?.variants) continue;
			const { summary } = run;
			rows.push({
				suite: run.variants.suite,
				row: rowName(run.variants),
				runId: run.id,
				runNumber: run.number,
				status: run.status,
				variants: summary?.trials ?? null,
				avg: summary?.avg ?? null,
				recovery: summary?.recovery ?? null,
				toolRationality: summary?.toolRationality ?? null,
				limitsKept: summary?.limitsKept ?? null,
				completion: summary?.completion ?? null,
				gap: (await gapOf(deps, runs.get(round.testRunId ?? ""), run))?.avg ?? null,
			});
		}
		found.set(round.id, rows);
	}
	return found;
}

const isMoving = ({ status }: RobustnessRow) => status === "queued" || status === "running";

/** The newest round with a T2 run that is done gives the robustness figure. */
export function newestGap(rounds: readonly Pick<OverviewRound, "index" | "robustness" | "test">[]): GapView | null {
	const measuring = rounds.some((round) => round.robustness.some((row) => row.suite === "t2" && isMoving(row)));
	for (const round of rounds.toReversed()) {
		const inside = round.robustness.find((row) => row.row === "inside-envelope");
		if (!inside?.gap || !round.test) continue;
		return {
			round: roundName(round.index),
			avg: inside.gap,
			cases: round.test.cases,
			variants: inside.variants,
			runId: inside.runId,
			baseRunId: round.test.runId,
			heldOut: round.robustness.find((row) => row.row === "held-out-paraphrases")?.gap ?? null,
			measuring,
		};
	}
	return null;
}
