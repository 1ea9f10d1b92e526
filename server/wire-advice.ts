import type { Database } from "@/server/db/client";
import type { EvaluationService } from "@/server/evaluation";
import type { EvolutionService } from "@/server/evolution";
import type { HarnessService } from "@/server/harness";
import { systemClock } from "@/server/kernel/clock";
import type { PolicyService } from "@/server/policies";
import type { ReleaseService } from "@/server/release";
import { type AdviceService, createAdviceService } from "@/server/training";

interface Surroundings {
	db: Database;
	policies: PolicyService;
	harness: HarnessService;
	evaluation: EvaluationService;
	evolution: EvolutionService;
	release: ReleaseService;
}

/** Runs to look back for the newest T2. */
const LOOK_BACK = 200;

/** Edit or retrain?, over the loop as it stands. */
export function wireAdvice({ db, policies, harness, evaluation, evolution, release }: Surroundings): AdviceService {
	return createAdviceService({
		db,
		clock: systemClock,
		currentPolicy: policies.current,
		editRecord: evolution.editRecord,
		countLandings: evolution.countLandings,
		resolveHarness: (workspaceId, what) => harness.resolveHarness(workspaceId, what),
		loadFiles: (treeId) => harness.loadSnapshot(treeId),
		async newestGap(workspaceId, policyVersionId) {
			const filter = { workspaceId, status: ["done" as const], split: [], suiteKey: [], reason: [], policyVersionId: [policyVersionId], text: "" };
			const { rows } = await evaluation.list({ ...filter, sort: "number", descending: true, offset: 0, limit: LOOK_BACK });
			for (const run of rows) {
				if (run.variants?.suite !== "t2" || run.variants.book !== "transforms") continue;
				const [measured] = await evaluation.gapsOf(run.id);
				if (measured) return { gap: measured.gap, runId: run.id, baseRunId: measured.t1.id };
			}
			return null;
		},
		listReleases: release.facts,
	});
}
