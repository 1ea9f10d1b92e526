import { z } from "zod";
import type { DatabaseOrTransaction } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/kernel/id";
import type { Phrases } from "@/server/kernel/phrase.contract";
import type { AuditAction } from "./audit-actions.contract";
import { type Actor, type StudioEvent, type Workspace, type WorkspaceManifest, WorkspaceSchema, WorkspaceSettingsSchema } from "./contract";

export interface AuditInput {
	workspaceId: string | null;
	actor: Actor;
	action: AuditAction;
	/** What it was done to, with its version: `proposal #41 r2`. */
	subject: string;
	reason?: string;
	/** The reason's, as far as the studio wrote it. */
	phrases?: Phrases | undefined;
	detail?: Record<string, unknown>;
}

/** Appends to the audit log, in the caller's transaction. The log can't be changed afterwards. */
export async function recordAudit(db: DatabaseOrTransaction, input: AuditInput): Promise<void> {
	const { phrases } = input;
	await db.auditEntry.create({
		data: {
			id: newId("aud"),
			workspaceId: input.workspaceId,
			actorId: input.actor.id,
			actorName: input.actor.name,
			action: input.action,
			subject: input.subject,
			reason: input.reason ?? null,
			detail: { ...input.detail, ...(phrases && Object.keys(phrases).length > 0 ? { phrases } : {}) } as Prisma.InputJsonValue,
		},
	});
}

/** The next human-facing number of a kind (`run`, `finding`, `proposal`, …) in a workspace: 1, 2, 3, without gaps unless a transaction rolls back. */
export async function nextNumber(db: DatabaseOrTransaction, workspaceId: string, kind: string): Promise<number> {
	const counter = await db.counter.upsert({
		where: { workspaceId_kind: { workspaceId, kind } },
		create: { workspaceId, kind, value: 1 },
		update: { value: { increment: 1 } },
		select: { value: true },
	});
	return counter.value;
}

/** Writes an event in the caller's transaction; the worker delivers it after the commit, at least once. */
export async function emitEvent(db: DatabaseOrTransaction, workspaceId: string, event: StudioEvent): Promise<void> {
	const { type, ...payload } = event;
	await db.outboxEvent.create({ data: { workspaceId, type, payload: payload as Prisma.InputJsonValue } });
}

const workspaceSelect = {
	id: true,
	slug: true,
	title: true,
	language: true,
	measure: true,
	categories: true,
	settings: true,
	bundleId: true,
	createdAt: true,
} as const;

/** A workspace by slug or id; null when there is none. */
export async function findWorkspace(db: DatabaseOrTransaction, where: { slug: string } | { id: string }): Promise<Workspace | null> {
	const row = await db.workspace.findUnique({ where, select: workspaceSelect });
	return row && WorkspaceSchema.parse(row);
}

export async function listWorkspaceRows(db: DatabaseOrTransaction): Promise<Workspace[]> {
	const rows = await db.workspace.findMany({ select: workspaceSelect, orderBy: { createdAt: "asc" } });
	return rows.map((row) => WorkspaceSchema.parse(row));
}

export async function insertWorkspace(db: DatabaseOrTransaction, manifest: WorkspaceManifest): Promise<Workspace> {
	const { slug, title, language, measure, categories, settings } = manifest;
	const data = { id: newId("ws"), slug, title, language, measure, categories, settings: WorkspaceSettingsSchema.parse(settings) };
	return WorkspaceSchema.parse(await db.workspace.create({ data, select: workspaceSelect }));
}

export async function updateWorkspaceRow(
	db: DatabaseOrTransaction,
	id: string,
	data: Partial<Pick<Workspace, "title" | "settings" | "categories" | "bundleId">>,
): Promise<Workspace> {
	return WorkspaceSchema.parse(await db.workspace.update({ where: { id }, data, select: workspaceSelect }));
}

/**
 * Adds the categories that a workspace does not have yet, after those it has, titled by their ids. Inside the transaction
 * that brings their cases: filters, heatmap and gate know them from then on.
 */
export async function addCategories(tx: DatabaseOrTransaction, id: string, found: readonly string[]): Promise<void> {
	// Two imports into two suites at once: neither may write over what the other added.
	await tx.$queryRaw`select id from "Workspace" where id = ${id} for update`;
	const workspace = await findWorkspace(tx, { id });
	if (!workspace) return;
	const known = new Set(workspace.categories.map((category) => category.id));
	const added = [...new Set(found)].filter((category) => !known.has(category)).sort((a, b) => (a < b ? -1 : 1));
	if (added.length === 0) return;
	const categories = [...workspace.categories, ...added.map((category) => ({ id: category, title: { en: category, zh: category } }))];
	await updateWorkspaceRow(tx, id, { categories });
}

/** Keeps a bundle by its content; the same files again change nothing. */
export async function upsertBundle(db: DatabaseOrTransaction, id: string, files: Record<string, string>): Promise<void> {
	await db.workspaceBundle.upsert({ where: { id }, create: { id, files }, update: {}, select: { id: true } });
}

export async function findBundleFiles(db: DatabaseOrTransaction, id: string): Promise<Record<string, string> | null> {
	const row = await db.workspaceBundle.findUnique({ where: { id }, select: { files: true } });
	return row && z.record(z.string(), z.string()).parse(row.files);
}
