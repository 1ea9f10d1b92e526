import fs from "node:fs";
import path from "node:path";
import type { EnvelopeService } from "@/server/augmentation";
import type { AuthService } from "@/server/auth";
import { createCompactPolicy } from "@/server/compact";
import type { Database } from "@/server/db/client";
import type { Notifier } from "@/server/db/notifier";
import type { EvaluationService } from "@/server/evaluation";
import type { HarnessService } from "@/server/harness";
import type { JobQueue } from "@/server/jobs/contract";
import { createRubricJudge, type JudgeService } from "@/server/judge";
import { env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import type { PolicyService } from "@/server/policies";
import type { Sandbox } from "@/server/sandbox/contract";
import type { Simulator } from "@/server/simulator";
import { createTrainingService, type TrainingService } from "@/server/training";
import type { WorkspaceService } from "@/server/workspace";

interface TrainingSurroundings {
	db: Database;
	notifier: Notifier;
	auth: AuthService;
	queue: JobQueue;
	harness: HarnessService;
	evaluation: EvaluationService;
	workspace: WorkspaceService;
	simulator: Simulator;
	sandbox: Sandbox;
	judges: JudgeService;
	policies: PolicyService;
	envelopes: EnvelopeService;
	/** Names of the releases, evolutions and runs that refer to a policy version. */
	policyReferences(workspaceId: string, policyVersionId: string): Promise<string[]>;
}

/** Retraining of the compact policy. General data is public and not shipped: where its folder is missing, OPD is left out. */
export function wireTraining(services: TrainingSurroundings): TrainingService {
	const { db, queue, notifier, auth, harness, evaluation, workspace, simulator, sandbox, judges, policies, envelopes, policyReferences } = services;
	const rubric = createRubricJudge();
	const generalData = path.resolve(env().STUDIO_TEST_DATA);
	return createTrainingService({
		db,
		queue,
		publish: (key) => notifier.publish(key),
		readTrainingCases: evaluation.readTrainingCases,
		readMeasuredCases: evaluation.readMeasuredCases,
		async currentSuiteVersion(workspaceId) {
			const version = await evaluation.currentSuiteVersion(workspaceId, "t1");
			if (!version) throw new AppError("precondition", "There are no dev cases to train on.", { reason: "training-no-cases" });
			return version.id;
		},
		workspaceSlug: async (workspaceId) => (await workspace.getById(workspaceId)).slug,
		currentBundle: async (workspaceId) => (await workspace.getById(workspaceId)).bundleId,
		currentEnvelope: envelopes.current,
		listEnvelopes: envelopes.list,
		personNames: auth.namesOf,
		resolveHarness: (workspaceId, what) => harness.resolveHarness(workspaceId, what),
		loadFiles: (treeId) => harness.loadSnapshot(treeId),
		openHarness: async (files) => harness.loadHarness(await harness.saveSnapshot(files)),
		async openScene(workspaceId, bundleId, suiteVersionId) {
			const [bundle, references] = await Promise.all([simulator.loadBundle(bundleId), evaluation.references(suiteVersionId)]);
			const agent = { sandbox, tools: simulator.executors(workspaceId, bundle) };
			return { agent, world: bundle.world, references, resolveRoom: (reference) => simulator.resolveRoom(bundle, reference) };
		},
		async judges(workspaceId) {
			const { name, engine } = await judges.current(workspaceId);
			// What the verdicts come from: the rubric's checkers where no model judges.
			return { evaluation: { name, fingerprint: engine === "rubric" ? rubric.describe().fingerprint : name }, rubric };
		},
		registerCheckpoint: ({ workspaceId, name, checkpointId, digest, parameters, initial }) =>
			policies.ensureCheckpoint({
				workspaceId,
				base: name,
				checkpointId,
				...(initial ? { initial } : {}),
				fingerprint: createCompactPolicy({ checkpoint: { parameters, digest } }).describe().fingerprint,
			}),
		findPolicy: policies.find,
		policyReferences,
		removePolicy: policies.remove,
		generalData: () => (["bfcl", "agent-skills", "mcp-tools"].every((part) => fs.existsSync(path.join(generalData, part))) ? generalData : null),
	});
}
