import type { Services } from "@/server/composition";
import type { Removal } from "@/server/workspace";
import type { Workspace } from "@/server/workspace/contract";

type Stores = Pick<Services, "workspace" | "repositories" | "uploads">;

export interface Removed {
	/** Rows that went with the workspace, by table. */
	rows: Record<string, number>;
	/** Folders of repositories that were on this machine's disk. */
	repositories: string[];
	uploads: number;
}

/** Takes away what a removed workspace still has on this machine: files, and rows that somebody wrote while it was being removed. Idempotent. */
export async function sweepRemoved(stores: Stores, removed: { workspaceId: string; repositories: readonly string[] }): Promise<Omit<Removed, "rows">> {
	await stores.workspace.sweepRemoved(removed.workspaceId);
	return { repositories: await stores.repositories.remove(removed.repositories), uploads: await stores.uploads.removeAll(removed.workspaceId) };
}

/**
 * Removes a workspace from database and disk. First the database in one transaction, which also writes down the folders: a
 * process that dies after it leaves files that `sweepRemoved` finds by the audit log. Throws `precondition` while it is at work.
 */
export async function removeWorkspace(stores: Stores, workspace: Pick<Workspace, "id" | "slug">, removal: Omit<Removal, "repositories">): Promise<Removed> {
	const repositories = await stores.repositories.folders(workspace.id);
	const rows = await stores.workspace.remove(workspace, { ...removal, repositories });
	return { rows, ...(await sweepRemoved(stores, { workspaceId: workspace.id, repositories })) };
}
