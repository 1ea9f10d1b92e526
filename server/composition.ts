import { type AuthService, createAuthService, readAuthSettings } from "@/server/auth";
import { createCompactPolicy } from "@/server/compact";
import { createDatabase, type Database } from "@/server/db/client";
import { createNotifier, type Notifier } from "@/server/db/notifier";
import { env } from "@/server/kernel/env";
import { createModelService, type ModelService } from "@/server/models";
import { createPolicyService, type PolicyService } from "@/server/policies";
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
	return { db, notifier, auth, workspace, models, policies };
}

/** Ends what `createServices` opened. */
export async function closeServices(services: Services): Promise<void> {
	await services.notifier.close();
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
