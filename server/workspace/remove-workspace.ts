import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import type { Actor, Workspace } from "./contract";
import { countOwnRows, deleteOwnRows, listUnderWay, type UnderWay } from "./remove-workspace.repository";
import { recordAudit } from "./workspace.repository";

/** A workspace that was used for a year has some hundred thousand episodes. */
const REMOVE_MS = 10 * 60_000;

export interface Removal {
	action: "workspace.delete" | "workspace.take-back";
	actor: Actor;
	reason?: string;
	/** Folders of its repositories: written into the audit log, which alone knows of them when their rows are gone. */
	repositories: readonly string[];
}

const MAX_NAMED = 10;

/** Throws `precondition`, naming what has to be stopped first. */
export function assertIdle(slug: string, underWay: readonly UnderWay[]): void {
	if (underWay.length === 0) return;
	const named = underWay.slice(0, MAX_NAMED).map(({ name, status }) => `${name} (${status})`);
	const work = underWay.length > MAX_NAMED ? `${named.join(", ")}, …` : named.join(", ");
	throw new AppError("precondition", `The workspace ${slug} is at work: ${work}.`, {
		reason: "workspace-at-work",
		params: { slug, work },
		fix: "Delete it with --yes --cancel, which cancels that first, or wait until it is done.",
		data: { underWay },
	});
}

/**
 * Deletes every row of a workspace but its audit entries, and says so in the audit log, in one transaction: a process that
 * dies leaves the workspace whole, or gone with the folders of its repositories on record. Returns the rows by table. Throws
 * `precondition` while something is under way.
 */
export function removeWorkspace(db: Database, workspace: Pick<Workspace, "id" | "slug">, removal: Removal): Promise<Record<string, number>> {
	const { action, actor, reason, repositories } = removal;
	return db.$transaction(
		async (tx) => {
			await tx.$queryRaw`select id from "Workspace" where id = ${workspace.id} for update`;
			assertIdle(workspace.slug, await listUnderWay(tx, workspace.id));
			const rows = await countOwnRows(tx, workspace.id);
			await deleteOwnRows(tx, workspace.id);
			await recordAudit(tx, {
				workspaceId: workspace.id,
				actor,
				action,
				subject: workspace.slug,
				...(reason === undefined ? {} : { reason }),
				detail: { rows, repositories },
			});
			return rows;
		},
		{ timeout: REMOVE_MS },
	);
}
