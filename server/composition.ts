import { LRUCache } from "lru-cache";
import { createEndpointPolicy, createTryService, type TryService, tryJob } from "@/server/agent";
import type { Policy } from "@/server/agent/contract";
import { type AuthService, createAuthService, readAuthSettings } from "@/server/auth";
import { createCompactPolicy } from "@/server/compact";
import { createDatabase, type Database } from "@/server/db/client";
import { createNotifier, type Notifier } from "@/server/db/notifier";
import { createHarnessService, type HarnessService, type HarnessSurroundings } from "@/server/harness";
import { createJobQueue } from "@/server/jobs";
import type { JobQueue } from "@/server/jobs/contract";
import { systemClock } from "@/server/kernel/clock";
import { dataPath, env } from "@/server/kernel/env";
import { createModelService, guardedFetch, type ModelService } from "@/server/models";
import { createPolicyService, type PolicyService } from "@/server/policies";
import { createSandbox } from "@/server/sandbox";
import type { Sandbox } from "@/server/sandbox/contract";
import { createSimulator, parseBundle, resolveRoom, type Simulator } from "@/server/simulator";
import type { WorkspaceBundle } from "@/server/simulator/contract";
import { createWorkspaceService, type WorkspaceService } from "@/server/workspace";

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
	queue: JobQueue;
	/** Untrusted code; its threads start on first use, which happens in worker processes only. */
	sandbox: Sandbox;
	simulator: Simulator;
	/** Something that acts as a policy version. Throws `precondition` when what it was made of has changed. */
	loadPolicy(policyVersionId: string): Promise<Policy>;
	tries: TryService;
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
		policyEndpoint: async (workspaceId) => (await models.listRoles(workspaceId)).find((entry) => entry.role === "policy")?.endpointId ?? null,
	});
	const harness = createHarnessService({
		db,
		clock: systemClock,
		directory: dataPath("repositories"),
		surroundings: harnessSurroundings(workspace, models),
	});
	const queue = createJobQueue(options.databaseUrl);
	const sandbox = createSandbox();
	const simulator = createSimulator({ sandbox, bundles: workspace, connections: models, fetchFor: guardedFetch });
	const loadPolicy = (policyVersionId: string): Promise<Policy> =>
		policies.resolve<Policy>(policyVersionId, {
			compact: ({ name }) => createCompactPolicy({ name }),
			endpoint: async (endpointId, settings) => createEndpointPolicy(await models.provider.forEndpoint(endpointId), settings),
		});
	const base = { db, notifier, auth, workspace, models, policies, harness, queue, sandbox, simulator, loadPolicy };
	return { ...base, tries: wireTries(base) };
}

function wireTries({ db, queue, notifier, harness, policies, loadPolicy, workspace, simulator, sandbox }: Omit<Services, "tries">): TryService {
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
