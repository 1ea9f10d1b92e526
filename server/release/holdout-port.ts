import type { EvaluationService } from "@/server/evaluation";
import type { GateSide } from "@/server/evolution";
import { AppError } from "@/server/kernel/errors";
import type { ReleaseDeps } from "./ports";

/** The sealed split over the evaluation domain: two runs, and nothing of them but overall counts. */
export function createHoldoutPort(evaluation: EvaluationService): ReleaseDeps["holdout"] {
	return {
		async start({ conditions, candidate, base, requestedById }) {
			const { workspaceId, suiteVersionId, judgeVersionId, trials, seed } = conditions;
			const ensure = ({ commit, treeId, policyVersionId }: GateSide) =>
				evaluation.ensureRun(
					{ workspaceId, suiteVersionId, split: "holdout", policyVersionId, judgeVersionId, trials, seed, reason: "holdout", commit, treeId },
					{ id: requestedById, name: requestedById },
				);
			try {
				return [(await ensure(base)).id, (await ensure(candidate)).id];
			} catch (error) {
				if (error instanceof AppError && error.reason === "run-no-cases") return null;
				throw error;
			}
		},
		async read(runIds, alpha) {
			const [baseId, runId] = runIds;
			const runs = await evaluation.findRuns(runIds);
			if (!baseId || !runId || runs.some((r) => r.status === "failed" || r.status === "cancelled")) return { status: "failed" };
			if (runs.length < new Set(runIds).size || runs.some((r) => r.status !== "done")) return { status: "running" };
			const { cases, dimensions } = await evaluation.compareSealed(baseId, runId, { alpha });
			const pick = ({ fixed, broken, delta, p }: { fixed: number; broken: number; delta: number; p: number }) => ({ fixed, broken, delta, p });
			return { status: "done", counts: { cases, accuracy: pick(dimensions.accuracy), effectiveness: pick(dimensions.effectiveness) } };
		},
	};
}
