import type { Room } from "./contract";

/** What a harness must be told of its workspace; `composition.ts` wires it to whoever knows. */
export interface HarnessSurroundings {
	/** Handler ids that a simulator binding may name; null: not checked. */
	handlers(workspaceId: string): Promise<readonly string[] | null>;
	/** Names of registered connections; null: not checked. */
	connections(workspaceId: string): Promise<readonly string[] | null>;
	/** The workspace's rooms by name, resolved: what templates are checked and previewed in. */
	rooms(workspaceId: string): Promise<Record<string, Room>>;
}
