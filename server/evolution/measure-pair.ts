import { AppError } from "@/server/kernel/errors";
import { type GateConditions, type GateSide, pairRequest } from "./assess-gate";
import { compareDone, ruleOf, toDigest } from "./comparisons";
import type { PairRow } from "./contract";
import { currentGatePolicy } from "./gate.repository";
import type { EvolutionDeps, RunRequest, RunView } from "./ports";

/** Variants of a row of T2 or T3 where a comparison or a closing measures it: fewer than `evaluate` takes, since nobody waits for them. Of ours. */
export const ROW_VARIANTS = 3;

/**
 * Two sides over everything that there is to measure: dev, test, T2 and T3. With `start` the runs that are missing are
 * queued; else only what is there is read. Safe to repeat.
 */
export async function measurePair(
	deps: EvolutionDeps,
	input: {
		conditions: GateConditions;
		candidate: GateSide;
		reference: GateSide & { name: string };
		start: { requestedById: string } | null;
	},
): Promise<PairRow[]> {
	const { conditions, candidate, reference, start } = input;
	const rule = ruleOf((await currentGatePolicy(deps.db, conditions.workspaceId)).content);
	const plans = await deps.evaluation.planVariants(conditions.workspaceId, conditions.seed);
	const wanted: Pick<PairRow, "suite" | "row" | "split">[] = [
		{ suite: "t1", row: null, split: "dev" },
		{ suite: "t1", row: null, split: "test" },
		...plans.map(({ row, plan }) => ({ suite: plan.suite, row, split: "test" as const })),
	];
	const rows: PairRow[] = [];
	for (const [index, { suite, row, split }] of wanted.entries()) {
		const plan = plans[index - 2]?.plan ?? null;
		const find = async (side: GateSide): Promise<RunView | null> => {
			const common = pairRequest(conditions, side, { split, reason: "release", requestedById: start?.requestedById ?? "" });
			const request: RunRequest = plan ? { ...common, trials: ROW_VARIANTS, variants: plan } : common;
			return start ? deps.evaluation.ensureRun(request).catch(withoutCases) : deps.evaluation.findEqualRun(request);
		};
		const [run, base] = [await find(candidate), await find(reference)];
		const comparison = await compareDone(deps, base ?? undefined, run ?? undefined, rule);
		rows.push({
			...{ suite, row, split },
			runId: run?.id ?? null,
			baseRunId: base?.id ?? null,
			state: run && base ? (run.status === "done" && base.status === "done" ? "done" : "running") : "none",
			done: (run?.done ?? 0) + (base?.done ?? 0),
			planned: (run?.planned ?? 0) + (base?.planned ?? 0),
			invalid: comparison?.invalid ?? null,
			comparison: comparison && toDigest(comparison, reference.name),
		});
	}
	return rows;
}

/** A split without cases is a row without runs, and no reason to stop. */
export function withoutCases(error: unknown): null {
	if (error instanceof AppError && error.reason === "run-no-cases") return null;
	throw error;
}
