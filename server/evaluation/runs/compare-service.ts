import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { type CaseScore, type Comparison, type Flip, INVALID_COMPARISONS, type SealedComparison } from "../contract";
import { type CompareOptions, compareRuns } from "../statistics";
import { listEpisodesOfCases, readCaseScores } from "./result.repository";
import type { RunRow } from "./run.repository";
import { requireRun } from "./start-run";

export type ComparisonRule = Pick<CompareOptions, "deltaPoints" | "marginPoints" | "alpha" | "alarmMinNet" | "alarmMinShare">;

interface Loaded {
	base: RunRow;
	run: RunRow;
	baseScores: CaseScore[];
	scores: CaseScore[];
}

/** Why two runs cannot be compared; null when they can. Only runs with one judge version on one split are. */
export function findInvalidity(base: RunRow, run: RunRow, pairs: number): string | null {
	if (base.workspaceId !== run.workspaceId) return INVALID_COMPARISONS["other-workspace"];
	if (base.judgeVersionId !== run.judgeVersionId) return INVALID_COMPARISONS["other-judge"];
	if (base.split !== run.split || base.suiteKey !== run.suiteKey) return INVALID_COMPARISONS["other-suite"];
	return pairs === 0 ? INVALID_COMPARISONS["no-pair"] : null;
}

async function load(db: Database, baseRunId: string, runId: string): Promise<Loaded> {
	const [base, run] = await Promise.all([requireRun(db, baseRunId), requireRun(db, runId)]);
	for (const one of [base, run])
		if (one.status !== "done")
			throw new AppError("precondition", `Run R-${one.number} is not done.`, {
				reason: "run-not-done",
				params: { number: one.number, status: one.status },
				fix: "Wait for it. One that has stopped is resumed on its page, or made again by the command evaluate.",
			});
	const [baseScores, scores] = await Promise.all([readCaseScores(db, base.id), readCaseScores(db, run.id)]);
	return { base, run, baseScores, scores };
}

function compareLoaded({ base, run, baseScores, scores }: Loaded, rule: ComparisonRule): Comparison {
	const same =
		base.treeId === run.treeId && base.policyVersionId === run.policyVersionId && base.judgeVersionId === run.judgeVersionId && base.seed === run.seed;
	const known = new Set(baseScores.map((score) => score.caseId));
	return compareRuns(baseScores, scores, {
		...rule,
		baseRunId: base.id,
		runId: run.id,
		oneTrial: base.trials === 1 && run.trials === 1,
		sameConditions: same && base.trials === run.trials && base.bundleId === run.bundleId,
		invalid: findInvalidity(base, run, scores.filter((score) => known.has(score.caseId)).length),
	});
}

/** Compares two runs, paired by case. Throws `precondition` where a run is not done, `forbidden` for the holdout. */
export async function compareById(db: Database, baseRunId: string, runId: string, rule: ComparisonRule = {}): Promise<Comparison> {
	const loaded = await load(db, baseRunId, runId);
	if (loaded.base.split === "holdout" || loaded.run.split === "holdout")
		throw new AppError("forbidden", "The holdout gives back overall counts only.", { reason: "holdout-sealed" });
	return compareLoaded(loaded, rule);
}

/** Compares two holdout runs: overall figures and counts; no case, no category. For the release gate, which logs each reading. */
export async function compareSealed(db: Database, baseRunId: string, runId: string, rule: ComparisonRule = {}): Promise<SealedComparison> {
	const comparison = compareLoaded(await load(db, baseRunId, runId), rule);
	const seal = (dimension: Comparison["dimensions"]["accuracy"]) => ({ ...dimension, fixed: dimension.fixed.length, broken: dimension.broken.length });
	return {
		cases: comparison.cases,
		dimensions: { accuracy: seal(comparison.dimensions.accuracy), effectiveness: seal(comparison.dimensions.effectiveness) },
		invalid: comparison.invalid,
	};
}

/** Every case that differs between two runs, the largest change first, with an episode of each side to open. */
export async function listFlips(db: Database, baseRunId: string, runId: string): Promise<Flip[]> {
	const loaded = await load(db, baseRunId, runId);
	const comparison = await compareById(db, baseRunId, runId);
	const before = new Map(loaded.baseScores.map((score) => [score.caseId, score]));
	const after = new Map(loaded.scores.map((score) => [score.caseId, score]));
	const changed = (["accuracy", "effectiveness"] as const).flatMap((dimension) =>
		[...comparison.dimensions[dimension].fixed, ...comparison.dimensions[dimension].broken].map((caseId) => ({ caseId, dimension })),
	);
	const ids = [...new Set(changed.map((one) => one.caseId))];
	const [left, right] = await Promise.all([listEpisodesOfCases(db, baseRunId, ids), listEpisodesOfCases(db, runId, ids)]);
	const leftOf = new Map(left.map((row) => [row.caseId, row]));
	const rightOf = new Map(right.map((row) => [row.caseId, row]));
	return changed
		.map(({ caseId, dimension }) => {
			const [b, a] = [before.get(caseId)?.[dimension] ?? 0, after.get(caseId)?.[dimension] ?? 0];
			const row = rightOf.get(caseId) ?? leftOf.get(caseId);
			return {
				caseId,
				caseKey: row?.caseKey ?? caseId,
				category: row?.category ?? "",
				message: row?.message ?? "",
				dimension,
				change: a - b,
				before: b,
				after: a,
				beforeEpisodeId: leftOf.get(caseId)?.id ?? null,
				afterEpisodeId: rightOf.get(caseId)?.id ?? null,
			};
		})
		.sort((x, y) => Math.abs(y.change) - Math.abs(x.change) || (x.caseKey < y.caseKey ? -1 : 1));
}
