import type { EvaluationService } from "@/server/evaluation";
import type { EvolutionService } from "@/server/evolution";
import type { HarnessService } from "@/server/harness";
import { AppError } from "@/server/kernel/errors";
import type { PolicyService } from "@/server/policies";
import { type CheckpointConditions, listCheckpoints, type TrainingService } from "@/server/training";
import type { CheckpointRow } from "@/server/training/contract";

interface Surroundings {
	policies: PolicyService;
	harness: HarnessService;
	evaluation: EvaluationService;
	evolution: EvolutionService;
	training: TrainingService;
}

/** Runs to look back for what is measured. */
const LOOK_BACK = 500;
const ALIVE = ["queued", "running", "done"] as const;
/** What a workspace lacks that has nothing to measure on yet. */
const NOTHING_YET = new Set(["suite-missing", "harness-missing"]);

/** Checkpoints with what is measured of them, and the way to measure one. */
export function wireCheckpoints({ policies, harness, evaluation, evolution, training }: Surroundings) {
	async function liveSide(workspaceId: string) {
		const [conditions, { treeId, commit }] = await Promise.all([evolution.gateConditions(workspaceId), harness.resolveHarness(workspaceId, "main")]);
		return { conditions, treeId, commit: commit ?? "" };
	}

	async function comparable(workspaceId: string): Promise<CheckpointConditions | null> {
		try {
			const { conditions, treeId } = await liveSide(workspaceId);
			return { treeId, suiteVersionId: conditions.suiteVersionId, judgeVersionId: conditions.judgeVersionId };
		} catch (error) {
			if (error instanceof AppError && NOTHING_YET.has(error.reason)) return null;
			throw error;
		}
	}

	return {
		list: (workspaceId: string): Promise<CheckpointRow[]> =>
			listCheckpoints(
				{
					versions: async (id) => (await policies.list(id)).filter(({ kind }) => kind === "checkpoint"),
					currentPolicy: policies.current,
					conditions: comparable,
					trainings: (id) => training.list(id),
					async runs(id, policyVersionId) {
						const filter = { workspaceId: id, status: [...ALIVE], split: ["test" as const], suiteKey: [], reason: [], policyVersionId, text: "" };
						return (await evaluation.list({ ...filter, sort: "number", descending: true, offset: 0, limit: LOOK_BACK })).rows;
					},
					gapsOf: (runId) => evaluation.gapsOf(runId),
				},
				workspaceId,
			),
		/**
		 * Queues what is missing to know a checkpoint: dev, test, T2 and T3 on the harness that is live, under the conditions
		 * of the gate, so that a comparison later finds these very runs. Safe to repeat. Throws `precondition` for a version
		 * without a checkpoint.
		 */
		async measure(workspaceId: string, policy: string, requestedById: string): Promise<void> {
			const { id, kind, name } = await policies.find(workspaceId, policy);
			if (kind !== "checkpoint")
				throw new AppError("precondition", `${name} acts without a checkpoint.`, {
					reason: "policy-no-checkpoint",
					params: { name },
					fix: "Name a version that acts with a checkpoint.",
				});
			const { conditions, treeId, commit } = await liveSide(workspaceId);
			const side = { commit, treeId, policyVersionId: id };
			await evolution.measurePair({ conditions, candidate: side, reference: { ...side, name }, start: { requestedById } });
		},
	};
}

export type CheckpointList = ReturnType<typeof wireCheckpoints>;
