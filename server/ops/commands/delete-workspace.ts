import { AppError } from "@/server/kernel/errors";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { cancelWork, type WorkStores } from "../cancel-work";
import { removeWorkspace, sweepRemoved } from "../remove-workspace";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";

type Stores = { services: Pick<Session["services"], "repositories" | "uploads"> & WorkStores; signal: AbortSignal };

export interface DeleteOptions {
	yes: boolean;
	/** Cancel what is under way first, instead of refusing. */
	cancel: boolean;
}

/** What a removal that died had left on this machine; throws `not-found` where no workspace ever had the name. */
async function finishEarlier({ services }: Pick<Stores, "services">, slug: string, yes: boolean): Promise<CommandResult> {
	const removed = await services.workspace.listRemoved(slug);
	const known = (await services.workspace.list()).map((workspace) => workspace.slug).join(", ") || "none";
	if (removed.length === 0 || !yes)
		throw new AppError("not-found", `There is no workspace "${slug}".`, {
			reason: "workspace-unknown",
			fix: removed.length > 0 ? "It was deleted before: with --yes, what is left of it on this machine goes too." : `Workspaces here: ${known}.`,
		});
	const swept = [];
	for (const one of removed) swept.push(await sweepRemoved(services, one));
	const repositories = swept.flatMap((one) => one.repositories).length;
	const uploads = swept.reduce((sum, one) => sum + one.uploads, 0);
	progress(`workspace ${slug} was deleted before; left of it on this machine: ${repositories} repositories, ${uploads} uploads, deleted now`);
	return { document: { deleted: true, workspace: { id: removed.at(-1)?.workspaceId, slug }, before: true, rows: {}, repositories, elsewhere: 0, uploads } };
}

/**
 * `delete-workspace NAME`: says what would go and is unconfirmed; with `--yes` deletes the workspace for ever, but for its
 * audit entries. Says numbers only: what the cases hold is nobody's to read here. Run again after a crash, it finishes.
 * With `--cancel`, what is under way is cancelled first. Throws `not-found`, and `precondition` naming what is under way.
 */
export async function deleteWorkspace({ services, signal }: Stores, slug: string, { yes, cancel }: DeleteOptions): Promise<CommandResult> {
	const workspace = await services.workspace.find(slug);
	if (!workspace) return finishEarlier({ services }, slug, yes);
	const identity = { id: workspace.id, slug };
	const folders = await services.repositories.folders(workspace.id);
	if (!yes) {
		const rows = await services.workspace.describeRemoval(workspace, { cancelled: cancel });
		const underWay = (await services.workspace.listUnderWay(workspace.id)).map(({ name, status }) => `${name} (${status})`);
		const uploads = await services.uploads.count(workspace.id);
		if (underWay.length > 0) progress(`Under way, and cancelled first: ${underWay.join(", ")}.`);
		progress(`Nothing was deleted. With --yes the workspace ${slug} goes for ever, and what it has: there is no way back but a backup.`);
		return { document: { deleted: false, workspace: identity, rows, repositories: folders.length, uploads, underWay }, unconfirmed: true };
	}
	const cancelled = cancel ? await cancelWork(services, workspace.id, progress, signal) : [];
	const { rows, repositories, uploads } = await removeWorkspace(services, workspace, { action: "workspace.delete", actor: SERVICE_ACTORS.system });
	const elsewhere = folders.length - repositories.length;
	if (elsewhere > 0) progress(`${elsewhere} repositories are not on this machine: run the same command where STUDIO_DATA_DIR holds them.`);
	progress(`workspace ${slug} deleted`);
	return { document: { deleted: true, workspace: identity, before: false, cancelled, rows, repositories: repositories.length, elsewhere, uploads } };
}
