import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import type { Notifier } from "@/server/db/notifier";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { listAuditActions, queryAudit } from "./audit.repository";
import {
	type Actor,
	type AuditFilter,
	AuditFilterSchema,
	type AuditReader,
	type UpdateWorkspace,
	UpdateWorkspaceSchema,
	type Workspace,
	type WorkspaceManifest,
	WorkspaceManifestSchema,
} from "./contract";
import { deliverEvents, type EventHandler } from "./deliver-events";
import { assertIdle, type Removal, removeWorkspace } from "./remove-workspace";
import { countOwnRows, deleteOwnRows, listRemoved, listUnderWay, type UnderWay } from "./remove-workspace.repository";
import { type Acts, countWaiting, findJudgeName, findReleased } from "./shell.repository";
import * as repository from "./workspace.repository";

export { deliverPending, type EventHandler } from "./deliver-events";
export { localName } from "./local-name";
export type { Removal } from "./remove-workspace";
export type { UnderWay } from "./remove-workspace.repository";
export { addCategories, emitEvent, nextNumber, recordAudit } from "./workspace.repository";

const unknownWorkspace = () => new AppError("not-found", "There is no such workspace.", { reason: "workspace-unknown" });

async function update(db: Database, id: string, actor: Actor, input: UpdateWorkspace): Promise<Workspace> {
	const { title, settings, reason } = UpdateWorkspaceSchema.parse(input);
	return db.$transaction(async (tx) => {
		const before = await repository.findWorkspace(tx, { id });
		if (!before) throw unknownWorkspace();
		const after = await repository.updateWorkspaceRow(tx, id, {
			...(title ? { title } : {}),
			...(settings ? { settings: { ...before.settings, ...settings } } : {}),
		});
		await repository.recordAudit(tx, {
			workspaceId: id,
			actor,
			action: "workspace.update",
			subject: before.slug,
			reason,
			detail: { before: { title: before.title, settings: before.settings }, after: { title: after.title, settings: after.settings } },
		});
		return after;
	});
}

/** Workspaces, their settings and bundle, the audit log and the outbox. */
export function createWorkspaceService(db: Database, notifier: Notifier | null = null) {
	return {
		list: () => repository.listWorkspaceRows(db),
		find: (slug: string) => repository.findWorkspace(db, { slug }),

		/** By slug; throws `not-found`. */
		async get(slug: string): Promise<Workspace> {
			const workspace = await repository.findWorkspace(db, { slug });
			if (!workspace) throw unknownWorkspace();
			return workspace;
		},

		/** By id; throws `not-found`. */
		async getById(id: string): Promise<Workspace> {
			const workspace = await repository.findWorkspace(db, { id });
			if (!workspace) throw unknownWorkspace();
			return workspace;
		},

		/** Makes a workspace from its manifest. Throws `conflict` when the slug is taken. */
		async create(input: WorkspaceManifest, actor: Actor, within?: DatabaseOrTransaction): Promise<Workspace> {
			const manifest = WorkspaceManifestSchema.parse(input);
			const make = async (tx: DatabaseOrTransaction) => {
				if (await repository.findWorkspace(tx, { slug: manifest.slug }))
					throw new AppError("conflict", `A workspace named ${manifest.slug} exists already.`, {
						reason: "workspace-exists",
						params: { slug: manifest.slug },
						fix: "Choose another name.",
					});
				const workspace = await repository.insertWorkspace(tx, manifest);
				await repository.recordAudit(tx, { workspaceId: workspace.id, actor, action: "workspace.create", subject: manifest.slug });
				return workspace;
			};
			return within ? make(within) : db.$transaction(make);
		},

		/** What a worker computes for a workspace, or will. */
		listUnderWay: (workspaceId: string): Promise<UnderWay[]> => listUnderWay(db, workspaceId),

		/** Rows by table that a removal would take. Throws `precondition` where something is under way, unless that is to be `cancelled` first. */
		async describeRemoval({ id, slug }: Pick<Workspace, "id" | "slug">, { cancelled }: { cancelled: boolean }): Promise<Record<string, number>> {
			if (!cancelled) assertIdle(slug, await listUnderWay(db, id));
			return countOwnRows(db, id);
		},

		/** Removes a workspace from the database, whole or not at all; see `remove-workspace.ts`. */
		remove: (workspace: Pick<Workspace, "id" | "slug">, removal: Removal) => removeWorkspace(db, workspace, removal),

		/** Removed workspaces of this name, and the folders of their repositories. */
		listRemoved: (slug: string) => listRemoved(db, slug),

		/** Deletes what somebody wrote for a workspace while it was being removed. */
		sweepRemoved: (workspaceId: string): Promise<void> => db.$transaction((tx) => deleteOwnRows(tx, workspaceId)),

		/** Changes title or settings; audited with what was before. */
		update: (id: string, actor: Actor, input: UpdateWorkspace) => update(db, id, actor, input),

		/** Keeps world, rooms and handlers by content and puts them in force; returns the bundle's id. */
		async setBundle(workspaceId: string, files: Record<string, string>, tx: DatabaseOrTransaction = db): Promise<string> {
			const bundleId = fingerprint(files);
			await repository.upsertBundle(tx, bundleId, files);
			await repository.updateWorkspaceRow(tx, workspaceId, { bundleId });
			return bundleId;
		},
		/** Files of a bundle; throws `not-found`. */
		async getBundleFiles(bundleId: string): Promise<Record<string, string>> {
			const files = await repository.findBundleFiles(db, bundleId);
			if (!files) throw new AppError("not-found", "The world of this workspace is missing.", { reason: "bundle-missing", fix: "Import the workspace again." });
			return files;
		},

		/** What the frame around every page shows of this workspace, for a person. */
		async readFrame(workspaceId: string, userId: string, can: Acts) {
			const [released, judge, counts] = await Promise.all([
				findReleased(db, workspaceId),
				findJudgeName(db, workspaceId),
				countWaiting(db, workspaceId, userId, can),
			]);
			return { released, judge, counts };
		},

		queryAudit: (workspaceId: string, filter: AuditFilter, page: { page: number; pageSize: number }, reader?: AuditReader) =>
			queryAudit(db, workspaceId, AuditFilterSchema.parse(filter), page, reader),
		listAuditActions: (workspaceId: string) => listAuditActions(db, workspaceId),

		/** The worker's loop: delivers the outbox to `handler`, at least once each, until aborted. */
		deliverEvents: (handler: EventHandler, signal: AbortSignal) => deliverEvents(db, notifier, handler, signal),
	};
}

export type WorkspaceService = ReturnType<typeof createWorkspaceService>;
