import { LRUCache } from "lru-cache";
import type { ToolExecutor } from "@/server/agent/contract";
import type { Room } from "@/server/harness/contract";
import type { RoomReference, WorkspaceBundle } from "./contract";
import { createHttpExecutor } from "./http-executor";
import { createMcpExecutor, McpSessions } from "./mcp-executor";
import { parseBundle } from "./parse-bundle";
import type { SimulatorDependencies } from "./ports";
import { resolveRoom } from "./resolve-room";
import { createSimulatorExecutor } from "./simulator-executor";

export interface Simulator {
	/** A bundle by the id under which the workspace keeps it; parsed once. Null gives an empty one. */
	loadBundle(bundleId: string | null): Promise<WorkspaceBundle>;
	resolveRoom(bundle: WorkspaceBundle, reference?: RoomReference): Room;
	/** Executors by kind of binding for the tools of a workspace. */
	executors(workspaceId: string, bundle: WorkspaceBundle): Record<string, ToolExecutor>;
	close(): Promise<void>;
}

/** Rooms, world and tools: what stands around the agent in an episode. */
export function createSimulator(dependencies: SimulatorDependencies): Simulator {
	const bundles = new LRUCache<string, Promise<WorkspaceBundle>>({ max: 16 });
	const simulated = new WeakMap<WorkspaceBundle, ToolExecutor>();
	const sessions = new McpSessions(dependencies.fetchFor);
	const empty = parseBundle({});

	return {
		async loadBundle(bundleId) {
			if (bundleId === null) return empty;
			const known = bundles.get(bundleId);
			if (known) return known;
			const loading = dependencies.bundles.getBundleFiles(bundleId).then(parseBundle);
			bundles.set(bundleId, loading);
			loading.catch(() => bundles.delete(bundleId));
			return loading;
		},
		resolveRoom,
		executors(workspaceId, bundle) {
			const simulator = simulated.get(bundle) ?? createSimulatorExecutor(dependencies.sandbox, bundle);
			simulated.set(bundle, simulator);
			return { simulator, http: createHttpExecutor(dependencies, workspaceId), mcp: createMcpExecutor(dependencies, sessions, workspaceId) };
		},
		close: () => sessions.close(),
	};
}
