import type { Database } from "@/server/db/client";
import type { Actor } from "@/server/workspace/contract";
import { createChatModel, endpointFingerprint, type OpenEndpoint } from "./chat-model";
import * as connections from "./connections";
import type { ChatModel, CreateConnection, CreateEndpoint, EndpointRole, ModelProvider, UpdateConnection, UpdateEndpoint } from "./contract";
import { createLimiter, type Limiter } from "./create-limiter";
import * as endpoints from "./endpoints";
import { createCacheStore, listRoleRows } from "./models.repository";
import { closeDispatchers } from "./private-address";
import { createResponseCache } from "./response-cache";
import { testEndpoint } from "./test-endpoint";

export { askForJson, type JsonAnswer, readJsonAnswer } from "./ask-json";
export { assertUrlAllowed, closeDispatchers, guardedFetch, hostOf, isPrivateAddress, privateAddressError } from "./private-address";

/** Models behind endpoints, each made once for as long as its settings stay, so that its limits hold across callers. */
function createModelProvider(db: Database): ModelProvider & { flush(): Promise<void> } {
	const cache = createResponseCache(createCacheStore(db));
	const made = new Map<string, { updatedAt: number; key: string | null; model: ChatModel }>();
	const limiters = new Map<string, { settings: string; limiter: Limiter }>();

	function limiterOf({ id, limits }: OpenEndpoint): Limiter {
		const settings = JSON.stringify([limits.concurrency, limits.requestsPerMinute, limits.tokensPerMinute]);
		const known = limiters.get(id);
		if (known?.settings === settings) return known.limiter;
		const limiter = createLimiter(limits);
		limiters.set(id, { settings, limiter });
		return limiter;
	}

	async function forEndpoint(endpointId: string): Promise<ChatModel> {
		const endpoint = await endpoints.openEndpoint(db, null, endpointId);
		const known = made.get(endpointId);
		if (known?.updatedAt === endpoint.updatedAt.getTime() && known.key === endpoint.key) return known.model;
		const model = createChatModel(endpoint, { limiter: limiterOf(endpoint), cache, random: Math.random, now: () => new Date() });
		made.set(endpointId, { updatedAt: endpoint.updatedAt.getTime(), key: endpoint.key, model });
		return model;
	}

	return {
		forEndpoint,
		async forRole(workspaceId, role) {
			const assigned = (await listRoleRows(db, workspaceId)).find((entry) => entry.role === role);
			return assigned ? forEndpoint(assigned.endpointId) : null;
		},
		flush: () => cache.flush(),
	};
}

/** Endpoints, their roles, connections, and the models behind them. */
export function createModelService(db: Database) {
	const provider = createModelProvider(db);
	return {
		/** What other domains use to ask a model. */
		provider: provider as ModelProvider,

		listEndpoints: (workspaceId: string) => endpoints.listEndpoints(db, workspaceId),
		createEndpoint: (workspaceId: string, actor: Actor, input: CreateEndpoint) => endpoints.createEndpoint(db, workspaceId, actor, input),
		updateEndpoint: (workspaceId: string, actor: Actor, input: UpdateEndpoint) => endpoints.updateEndpoint(db, workspaceId, actor, input),
		deleteEndpoint: (workspaceId: string, actor: Actor, id: string) => endpoints.deleteEndpoint(db, workspaceId, actor, id),
		assignRole: (workspaceId: string, actor: Actor, role: EndpointRole, endpointId: string | null) =>
			endpoints.assignRole(db, workspaceId, actor, role, endpointId),
		/** Which endpoint plays which role; a role that is missing is played by the built-in engine. */
		listRoles: (workspaceId: string) => listRoleRows(db, workspaceId),
		/** Says step by step whether an endpoint works; throws only `not-found`. */
		async testEndpoint(workspaceId: string, id: string) {
			await endpoints.assertEndpoint(db, workspaceId, id);
			return testEndpoint(() => endpoints.openEndpoint(db, workspaceId, id));
		},
		/** What identifies an endpoint's answers now, with the settings that it is made of. */
		describeEndpoint: (workspaceId: string, id: string) => endpoints.describeEndpoint(db, workspaceId, id, endpointFingerprint),

		listConnections: (workspaceId: string) => connections.listConnections(db, workspaceId),
		createConnection: (workspaceId: string, actor: Actor, input: CreateConnection) => connections.createConnection(db, workspaceId, actor, input),
		updateConnection: (workspaceId: string, actor: Actor, input: UpdateConnection) => connections.updateConnection(db, workspaceId, actor, input),
		deleteConnection: (workspaceId: string, actor: Actor, id: string) => connections.deleteConnection(db, workspaceId, actor, id),
		/** A connection with its headers opened, for the executor of tool calls (use `guardedFetch(connection.allowPrivate)`). */
		openConnection: (workspaceId: string, name: string) => connections.openConnection(db, workspaceId, name),

		/** Writes what the response cache holds back and closes idle sockets; call before the process ends. */
		async close(): Promise<void> {
			await provider.flush();
			await closeDispatchers();
		},
	};
}

export type ModelService = ReturnType<typeof createModelService>;
