import type { Database } from "@/server/db/client";
import type { HarnessService } from "@/server/harness";
import { createJudgeService, type JudgeService } from "@/server/judge";
import { AppError } from "@/server/kernel/errors";
import type { ModelService } from "@/server/models";

/** Versions of the judge: its harness and the endpoint that plays it, where there is one. */
export function wireJudges({ db, harness, models }: { db: Database; harness: HarnessService; models: ModelService }): JudgeService {
	return createJudgeService(db, {
		async judgeHead(workspaceId) {
			try {
				const { commit, treeId } = await harness.resolveHarness(workspaceId, "main", "judge");
				return commit === null ? null : { commit, treeId };
			} catch (error) {
				if (error instanceof AppError && error.reason === "harness-missing") return null;
				throw error;
			}
		},
		loadHarness: (treeId) => harness.loadHarness(treeId),
		async judgeEndpoint(workspaceId) {
			const assigned = (await models.listRoles(workspaceId)).find((entry) => entry.role === "judge");
			if (!assigned) return null;
			return { id: assigned.endpointId, fingerprint: (await models.describeEndpoint(workspaceId, assigned.endpointId)).fingerprint };
		},
		openEndpoint: (endpointId) => models.provider.forEndpoint(endpointId),
	});
}
