import { LRUCache } from "lru-cache";
import type { AuthService } from "@/server/auth";
import type { Database } from "@/server/db/client";
import type { Notifier } from "@/server/db/notifier";
import type { EvaluationService } from "@/server/evaluation";
import type { EvolutionService } from "@/server/evolution";
import type { HarnessService } from "@/server/harness";
import { systemClock } from "@/server/kernel/clock";
import type { PolicyService } from "@/server/policies";
import type { ReleaseService } from "@/server/release";
import { type AdviceService, createAdviceService, type TrainingService } from "@/server/training";
import type { CheckpointOrigin } from "@/server/training/contract";
import type { WorkspaceService } from "@/server/workspace";

interface Surroundings {
	db: Database;
	notifier: Notifier;
	auth: AuthService;
	workspace: WorkspaceService;
	policies: PolicyService;
	harness: HarnessService;
	evaluation: EvaluationService;
	evolution: EvolutionService;
	release: ReleaseService;
	training: TrainingService;
}

/** Runs to look back for the newest T2. */
const LOOK_BACK = 200;
/** What closing a round and weighing a release run by themselves. */
const OF_LOOP = new Set(["round", "release"]);

/** Edit or retrain?, over the loop as it stands. */
export function wireAdvice({ db, notifier, auth, workspace, policies, harness, evaluation, evolution, release, training }: Surroundings): AdviceService {
	// A checkpoint's file does not change; reading one takes a moment.
	const origins = new LRUCache<string, { source: CheckpointOrigin["source"] }>({ max: 20 });
	return createAdviceService({
		db,
		clock: systemClock,
		publish: (key) => notifier.publish(key),
		personNames: auth.namesOf,
		workspaceSlug: async (workspaceId) => (await workspace.getById(workspaceId)).slug,
		currentPolicy: policies.current,
		editRecord: evolution.editRecord,
		countLandings: evolution.countLandings,
		resolveHarness: (workspaceId, what) => harness.resolveHarness(workspaceId, what),
		loadFiles: (treeId) => harness.loadSnapshot(treeId),
		async newestGap(workspaceId, policyVersionId, treeId) {
			const filter = { workspaceId, status: ["done" as const], split: [], suiteKey: [], reason: [], policyVersionId: [policyVersionId], text: "" };
			const { rows } = await evaluation.list({ ...filter, sort: "number", descending: true, offset: 0, limit: LOOK_BACK });
			const inside = rows.filter(({ variants, partial }) => !partial && variants?.suite === "t2" && variants.book === "transforms");
			const [own, ofLoop] = [inside.filter((run) => run.treeId === treeId), inside.filter((run) => OF_LOOP.has(run.reason))];
			for (const run of [...own, ...ofLoop]) {
				const [measured] = await evaluation.gapsOf(run.id);
				if (measured) return { gap: measured.gap, runId: run.id, baseRunId: measured.t1.id };
			}
			return null;
		},
		async originOf(policyVersionId) {
			const { checkpointId } = (await policies.get(policyVersionId)).config;
			if (!checkpointId) return null;
			const known = origins.get(checkpointId) ?? { source: training.readOrigin(await training.readCheckpointFile(checkpointId)).source };
			origins.set(checkpointId, known);
			return known.source;
		},
		listReleases: release.facts,
	});
}
