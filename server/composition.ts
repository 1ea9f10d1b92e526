import { LRUCache } from "lru-cache";
import { createTryService, type TryService, tryJob } from "@/server/agent";
import { createEnvelopeService, createRewriter, type EnvelopeService, type Rewriter } from "@/server/augmentation";
import { type AuthService, createAuthService, readAuthSettings } from "@/server/auth";
import { createCompactPolicy } from "@/server/compact";
import { createDatabase, type Database } from "@/server/db/client";
import { createNotifier, type Notifier } from "@/server/db/notifier";
import {
	createEvaluationService,
	createPrepareRun,
	createStagedUploads,
	type EvaluationService,
	planSuite,
	RUNS_KEY,
	type StagedUploads,
} from "@/server/evaluation";
import { VariantSuiteSchema } from "@/server/evaluation/contract";
import {
	createBuiltInDiagnosis,
	createBuiltInEditor,
	createEvaluationPort,
	createEvolutionService,
	createHarnessPort,
	createLlmDiagnosis,
	createLlmEditor,
	type EvolutionService,
	evolutionTaskJob,
} from "@/server/evolution";
import { createHarnessService, createRepositoryStore, type HarnessService, type HarnessSurroundings, type RepositoryStore } from "@/server/harness";
import { createJobQueue } from "@/server/jobs";
import type { JobQueue } from "@/server/jobs/contract";
import type { JudgeService } from "@/server/judge";
import { systemClock } from "@/server/kernel/clock";
import { dataPath, env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { createModelService, guardedFetch, type ModelService } from "@/server/models";
import { createPolicyService, type PolicyService } from "@/server/policies";
import { countHoldoutReadings, createHoldoutPort, createReleaseGit, createReleaseService, type ReleaseService, releaseFacts } from "@/server/release";
import { createSandbox } from "@/server/sandbox";
import type { Sandbox } from "@/server/sandbox/contract";
import { createSimulator, parseBundle, resolveRoom, type Simulator } from "@/server/simulator";
import type { WorkspaceBundle } from "@/server/simulator/contract";
import type { AdviceService, TrainingService } from "@/server/training";
import { createTriggerService, type TriggerService, webhookJob } from "@/server/triggers";
import { wireAdvice } from "@/server/wire-advice";
import { type CheckpointList, wireCheckpoints } from "@/server/wire-checkpoints";
import { wireJudges } from "@/server/wire-judges";
import { createCheckpointExport, type ExportCheckpoint, type PolicyLoaders, wirePolicies } from "@/server/wire-policies";
import { wireTraining } from "@/server/wire-training";
import { createWorkspaceService, type WorkspaceService } from "@/server/workspace";
import type { DeliveredEvent } from "@/server/workspace/contract";
import { policyReferences } from "./policy-references";

/** Why something cannot be made; null when it can. */
function whyNot(make: () => unknown): string | null {
	try {
		make();
		return null;
	} catch (error) {
		if (error instanceof AppError) return error.message;
		throw error;
	}
}

/**
 * Everything that procedures, jobs and commands may use. Each domain adds its service here and wires it in
 * `createServices`: the only place where a port meets its implementation.
 */
export interface Services {
	db: Database;
	notifier: Notifier;
	auth: AuthService;
	workspace: WorkspaceService;
	models: ModelService;
	policies: PolicyService;
	harness: HarnessService;
	/** The harnesses' git repositories, where this machine has them. */
	repositories: RepositoryStore;
	queue: JobQueue;
	/** Untrusted code; its threads start on first use, which happens in worker processes only. */
	sandbox: Sandbox;
	simulator: Simulator;
	/** Something that acts as a policy version. Throws `precondition` when what it was made of has changed. */
	loadPolicy: PolicyLoaders["loadPolicy"];
	loadRouting: PolicyLoaders["loadRouting"];
	exportCheckpoint: ExportCheckpoint;
	judges: JudgeService;
	evaluation: EvaluationService;
	/** How far variants of a workspace's harness go. */
	envelopes: EnvelopeService;
	/** Other words for the texts of a harness, by the model of the editing role. */
	rewriter: Rewriter;
	evolution: EvolutionService;
	release: ReleaseService;
	/** Files that a browser sends in parts, until they are imported. */
	uploads: StagedUploads;
	tries: TryService;
	training: TrainingService;
	/** Edit or retrain? */
	advice: AdviceService;
	/** Checkpoints with what is measured of them. */
	checkpoints: CheckpointList;
	triggers: TriggerService;
}

/** What a harness is told of its workspace: handlers and rooms of the bundle in force, and the registered connections. */
function harnessSurroundings(workspace: WorkspaceService, models: ModelService): HarnessSurroundings {
	const bundles = new LRUCache<string, WorkspaceBundle>({ max: 8 });
	const bundleOf = async (workspaceId: string): Promise<WorkspaceBundle | null> => {
		const { bundleId } = await workspace.getById(workspaceId);
		if (!bundleId) return null;
		const bundle = bundles.get(bundleId) ?? parseBundle(await workspace.getBundleFiles(bundleId));
		bundles.set(bundleId, bundle);
		return bundle;
	};
	return {
		handlers: async (workspaceId) => Object.keys((await bundleOf(workspaceId))?.handlers ?? {}),
		connections: async (workspaceId) => (await models.listConnections(workspaceId)).map((connection) => connection.name),
		async rooms(workspaceId) {
			const bundle = await bundleOf(workspaceId);
			return bundle ? Object.fromEntries(Object.keys(bundle.rooms).map((base) => [base, resolveRoom(bundle, { base, set: {} })])) : {};
		},
	};
}

/** Wires every service over one database; `connections` bounds its pool. Call `closeServices` at the end. */
export async function createServices(options: { databaseUrl: string; connections?: number }): Promise<Services> {
	const db = createDatabase(options.databaseUrl, options.connections);
	const notifier = createNotifier(options.databaseUrl);
	const auth = createAuthService(db, readAuthSettings());
	const workspace = createWorkspaceService(db, notifier);
	const models = createModelService(db);
	const compactFingerprint = createCompactPolicy().describe().fingerprint;
	const policies = createPolicyService(db, {
		compactFingerprint: () => compactFingerprint,
		describeEndpoint: models.describeEndpoint,
		listEndpoints: models.listEndpoints,
		releasedPolicy: async (workspaceId) => (await releaseFacts({ db }, workspaceId)).at(-1)?.policyVersionId ?? null,
		policyEndpoint: async (workspaceId) => (await models.listRoles(workspaceId)).find((entry) => entry.role === "policy")?.endpointId ?? null,
	});
	const harness = createHarnessService({
		db,
		clock: systemClock,
		directory: dataPath("repositories"),
		surroundings: harnessSurroundings(workspace, models),
	});
	const repositories = createRepositoryStore(db, dataPath("repositories"));
	const queue = createJobQueue(options.databaseUrl, [tryJob, evolutionTaskJob, webhookJob]);
	const sandbox = createSandbox();
	const simulator = createSimulator({ sandbox, bundles: workspace, connections: models, fetchFor: guardedFetch });
	const { loadPolicy, loadRouting } = wirePolicies({ policies, models, loadCheckpoint: (id) => training.loadCheckpoint(id) });
	const judges = wireJudges({ db, harness, models });
	const uploads = createStagedUploads(dataPath("uploads"));
	const base = {
		db,
		notifier,
		auth,
		workspace,
		models,
		policies,
		harness,
		repositories,
		queue,
		sandbox,
		simulator,
		loadPolicy,
		loadRouting,
		exportCheckpoint: createCheckpointExport(policies, (id) => training.readCheckpointFile(id)),
		judges,
		uploads,
		envelopes: createEnvelopeService(db),
		rewriter: createRewriter({ db, modelFor: (workspaceId) => models.provider.forRole(workspaceId, "editing") }),
	};
	const evaluation = wireEvaluation(base);
	const { evolution, release } = wireEvolution({ ...base, evaluation });
	const references = (workspaceId: string, id: string) => policyReferences({ evaluation, evolution, release }, workspaceId, id);
	const training = wireTraining({ ...base, evaluation, policyReferences: references });
	const publish = (key: string) => notifier.publish(key);
	const triggers = createTriggerService({ ...base, clock: systemClock, publish, evaluation, evolution, release, training });
	const advice = wireAdvice({ ...base, evaluation, evolution, release, training });
	const checkpoints = wireCheckpoints({ ...base, evaluation, evolution, training });
	return { ...base, evaluation, evolution, release, training, advice, checkpoints, triggers, tries: wireTries({ ...base, evaluation }) };
}

/** Findings to releases. The release domain stands above evolution, which learns of releases through two ports. */
function wireEvolution(
	services: Omit<Services, "tries" | "evolution" | "release" | "training" | "triggers" | "advice" | "checkpoints">,
): Pick<Services, "evolution" | "release"> {
	const { db, auth, harness, models, policies, judges, envelopes, rewriter, evaluation, queue, notifier, loadRouting } = services;
	const registry = {
		currentPolicy: policies.current,
		currentJudge: judges.current,
		async describe({ policyVersionId, judgeVersionId }: { policyVersionId: string; judgeVersionId: string }) {
			const [policy, judge] = await Promise.all([policies.get(policyVersionId), judges.get(judgeVersionId)]);
			return { policy: { id: policy.id, name: policy.name, kind: policy.kind }, judge: { id: judge.id, name: judge.name, engine: judge.engine } };
		},
	};
	const people = auth.describePeople;
	const publish = (key: string) => notifier.publish(key);
	const evolution = createEvolutionService({
		db,
		clock: systemClock,
		harness: createHarnessPort(harness, systemClock),
		evaluation: createEvaluationPort(evaluation, people, async (workspaceId, seed) => {
			const [envelope, model] = await Promise.all([envelopes.current(workspaceId), rewriter.describe(workspaceId)]);
			return VariantSuiteSchema.options.flatMap((suite) => planSuite(suite, envelope.content, seed, model));
		}),
		async diagnosisEngine(workspaceId) {
			const model = await models.provider.forRole(workspaceId, "diagnosis");
			return model ? createLlmDiagnosis(model, createBuiltInDiagnosis()) : createBuiltInDiagnosis();
		},
		async editingEngine(workspaceId, policyVersionId) {
			const [model, route] = await Promise.all([models.provider.forRole(workspaceId, "editing"), loadRouting(policyVersionId)]);
			const builtIn = createBuiltInEditor(route);
			return model ? createLlmEditor(model, builtIn) : builtIn;
		},
		registry,
		people,
		listReleases: (workspaceId) => releaseFacts({ db }, workspaceId),
		countHoldoutReadings: (evolutionId) => countHoldoutReadings(db, evolutionId),
		enqueueTask: (taskId) => queue.send(evolutionTaskJob, { taskId }),
		publish,
	});
	const release = createReleaseService({
		db,
		clock: systemClock,
		evolution,
		git: createReleaseGit(harness, systemClock),
		holdout: createHoldoutPort(evaluation),
		registry,
		people,
		publish,
	});
	return { evolution, release };
}

function wireEvaluation({
	db,
	notifier,
	auth,
	workspace,
	policies,
	judges,
	harness,
	simulator,
	sandbox,
	rewriter,
	loadPolicy,
}: Omit<Services, "tries" | "evaluation" | "evolution" | "release" | "training" | "triggers" | "advice" | "checkpoints">): EvaluationService {
	return createEvaluationService(db, {
		prepareRun: createPrepareRun({
			sandbox,
			loadHarness: (treeId) => harness.loadHarness(treeId),
			keepFiles: (files) => harness.saveSnapshot(files),
			rewritingsFor: rewriter.rewritingsFor,
			resolvePolicy: loadPolicy,
			resolveJudge: judges.load,
			simulator,
		}),
		async workspaceFacts(workspaceId) {
			const { measure, settings, bundleId, categories } = await workspace.getById(workspaceId);
			return { measure, pricePerMillionTokens: settings.pricePerMillionTokens, bundleId, categories: categories.map(({ id }) => id) };
		},
		async scene(workspaceId) {
			const bundle = await simulator.loadBundle((await workspace.getById(workspaceId)).bundleId);
			return { world: bundle.world, roomProblem: (reference) => whyNot(() => simulator.resolveRoom(bundle, reference)) };
		},
		harnessSize: async (treeId) => Object.values(await harness.loadSnapshot(treeId)).reduce((sum, text) => sum + text.length, 0),
		async versionNames(ids) {
			const [policyRows, judgeRows] = await Promise.all([
				Promise.all(ids.policies.map((id) => policies.get(id).catch(() => null))),
				Promise.all(ids.judges.map((id) => judges.get(id).catch(() => null))),
			]);
			const names = (rows: ({ id: string; name: string } | null)[]) => new Map(rows.flatMap((row) => (row ? [[row.id, row.name] as const] : [])));
			return { policies: names(policyRows), judges: names(judgeRows) };
		},
		personNames: auth.namesOf,
		publish: (key) => notifier.publish(key),
	});
}

/** After these the advice may be another; it is kept then, whether or not somebody looks. */
const ADVISED_AFTER: readonly string[] = ["round.closed", "evolution.stopped", "release.made"];

/** What follows an event of a workspace: the loop's own part, then its triggers, whatever the first came to. Throws what either throws. */
export async function followEvent(
	{ evolution, triggers, advice }: Pick<Services, "evolution" | "triggers" | "advice">,
	delivered: DeliveredEvent,
): Promise<void> {
	const [failure] = await evolution.onEvent(delivered.workspaceId, delivered.event).then(
		() => [],
		(error: unknown) => [{ error }],
	);
	await triggers.onEvent(delivered);
	if (ADVISED_AFTER.includes(delivered.event.type))
		await advice.advise(delivered.workspaceId).catch((error: unknown) => logger.warn({ err: error }, "the advice on retraining was not kept"));
	if (failure) throw failure.error;
}

/** The worker's loop over queued runs; ends when the signal aborts and everything in flight is committed or given back. */
export function workOnRuns({ evaluation, notifier }: Pick<Services, "evaluation" | "notifier">, signal: AbortSignal, concurrency?: number): Promise<void> {
	return evaluation.work(signal, { wakeups: (stop) => notifier.changes([RUNS_KEY], stop), ...(concurrency ? { concurrency } : {}) });
}

function wireTries({
	db,
	queue,
	notifier,
	harness,
	policies,
	loadPolicy,
	workspace,
	simulator,
	sandbox,
}: Omit<Services, "tries" | "evolution" | "release" | "training" | "triggers" | "advice" | "checkpoints">): TryService {
	return createTryService({
		db,
		queue,
		notifier,
		async loadSource({ workspaceId, userId }, source) {
			if (source.kind === "ref") return (await harness.resolveHarness(workspaceId, source.ref)).files;
			const { files } = await harness.draftFiles({ workspaceId, userId, kind: "agent", branch: source.branch }, source.changes);
			harness.requireHarness(files);
			return files;
		},
		saveSnapshot: (files) => harness.saveSnapshot(files),
		loadHarness: (treeId) => harness.loadHarness(treeId),
		currentPolicy: policies.current,
		namedPolicy: policies.find,
		loadPolicy,
		currentBundle: async (workspaceId) => (await workspace.getById(workspaceId)).bundleId,
		async openScene({ workspaceId, bundleId, room }) {
			const bundle = await simulator.loadBundle(bundleId);
			return { room: simulator.resolveRoom(bundle, room), tools: simulator.executors(workspaceId, bundle) };
		},
		sandbox: () => sandbox,
	});
}

/** Lets this process compute tries. For workers; handlers end when the queue stops. */
export function workOnTries({ queue, tries }: Pick<Services, "queue" | "tries">): Promise<void> {
	return queue.work(tryJob, ({ tryId }, signal) => tries.run(tryId, signal));
}

/** Ends what `createServices` opened. */
export async function closeServices(services: Services): Promise<void> {
	await services.queue.stop();
	await services.notifier.close();
	await services.simulator.close();
	await services.sandbox.close();
	await services.models.close();
	await services.db.$disconnect();
}

const holder = globalThis as typeof globalThis & { studioServices?: Promise<Services> };

/** The services of the web process, made once (also across reloads of the development server). The launcher sets DATABASE_URL. */
export function getServices(): Promise<Services> {
	const url = env().DATABASE_URL;
	if (!url) throw new Error("DATABASE_URL is not set: start the studio with npm start.");
	holder.studioServices ??= createServices({ databaseUrl: url });
	return holder.studioServices;
}
