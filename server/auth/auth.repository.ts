import type { Database, DatabaseOrTransaction } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import type { ApiToken, Role } from "./contract";

export interface UserRow {
	id: string;
	name: string;
	email: string;
	demo: boolean;
	banned: boolean;
}

const userSelect = { id: true, name: true, email: true, demo: true, banned: true } as const;
const toUser = (row: { id: string; name: string; email: string; demo: boolean; banned: boolean | null }): UserRow => ({ ...row, banned: row.banned === true });

export async function findUser(db: DatabaseOrTransaction, id: string): Promise<UserRow | null> {
	const row = await db.user.findUnique({ where: { id }, select: userSelect });
	return row && toUser(row);
}

export async function findUserByEmail(db: DatabaseOrTransaction, email: string): Promise<UserRow | null> {
	const row = await db.user.findUnique({ where: { email: email.toLowerCase() }, select: userSelect });
	return row && toUser(row);
}

export async function listNames(db: DatabaseOrTransaction, ids: string[]): Promise<[string, string][]> {
	const rows = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
	return rows.map((row) => [row.id, row.name]);
}

/** Name and address of people, for commits and pages. */
export async function listPeopleByIds(db: DatabaseOrTransaction, ids: string[]): Promise<{ id: string; name: string; email: string }[]> {
	return db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true, email: true } });
}

export async function countUsers(db: DatabaseOrTransaction): Promise<number> {
	return db.user.count({ where: { demo: false } });
}

export async function findMembershipRow(db: DatabaseOrTransaction, userId: string, slug: string) {
	const row = await db.membership.findFirst({
		where: { userId, workspace: { slug }, user: { OR: [{ banned: null }, { banned: false }] } },
		select: { roles: true, workspace: { select: { id: true, slug: true } } },
	});
	return row && { id: row.workspace.id, slug: row.workspace.slug, roles: row.roles as Role[] };
}

export async function listMembershipRows(db: DatabaseOrTransaction, userId: string) {
	const rows = await db.membership.findMany({
		where: { userId },
		select: { roles: true, workspace: { select: { id: true, slug: true, title: true } } },
		orderBy: { workspace: { createdAt: "asc" } },
	});
	return rows.map((row) => ({ id: row.workspace.id, slug: row.workspace.slug, title: row.workspace.title, roles: row.roles as Role[] }));
}

export async function listPeopleRows(db: DatabaseOrTransaction, workspaceId: string) {
	const rows = await db.membership.findMany({
		where: { workspaceId },
		select: {
			roles: true,
			user: {
				select: {
					...userSelect,
					createdAt: true,
					sessions: { select: { updatedAt: true }, orderBy: { updatedAt: "desc" }, take: 1 },
					memberships: { select: { workspaceId: true } },
				},
			},
		},
		orderBy: { user: { name: "asc" } },
	});
	return rows.map(({ roles, user }) => ({
		...toUser(user),
		roles: roles as Role[],
		createdAt: user.createdAt,
		lastSeenAt: user.sessions[0]?.updatedAt ?? null,
		workspaceIds: user.memberships.map((membership) => membership.workspaceId),
	}));
}

export async function listAdminWorkspaceIds(db: DatabaseOrTransaction, userId: string): Promise<string[]> {
	const rows = await db.membership.findMany({ where: { userId, roles: { has: "admin" } }, select: { workspaceId: true } });
	return rows.map((row) => row.workspaceId);
}

/** Enabled admins of a workspace; locks their rows, so that two admins cannot remove each other at once. */
export async function lockAdminIds(tx: DatabaseOrTransaction, workspaceId: string): Promise<string[]> {
	const rows = await tx.$queryRaw<{ userId: string }[]>`
		SELECT m."userId" FROM "Membership" m JOIN "User" u ON u."id" = m."userId"
		WHERE m."workspaceId" = ${workspaceId} AND 'admin' = ANY(m."roles") AND u."banned" IS NOT TRUE
		ORDER BY m."userId" FOR UPDATE OF m`;
	return rows.map((row) => row.userId);
}

export async function insertUser(db: DatabaseOrTransaction, user: { id: string; name: string; email: string; demo: boolean; passwordHash: string | null }) {
	const email = user.email.toLowerCase();
	try {
		await db.user.create({ data: { id: user.id, name: user.name, email, demo: user.demo, emailVerified: true } });
	} catch (cause) {
		if ((cause as { code?: string }).code !== "P2002") throw cause;
		throw new AppError("conflict", "Someone with this e-mail exists already.", { reason: "person-exists", fix: "Add the existing person instead.", cause });
	}
	if (user.passwordHash !== null)
		await db.account.create({ data: { id: newId("acc"), accountId: user.id, providerId: "credential", userId: user.id, password: user.passwordHash } });
}

export async function setPasswordHash(db: DatabaseOrTransaction, userId: string, password: string) {
	const changed = await db.account.updateMany({ where: { userId, providerId: "credential" }, data: { password } });
	if (changed.count === 0) await db.account.create({ data: { id: newId("acc"), accountId: userId, providerId: "credential", userId, password } });
}

export async function setBanned(db: DatabaseOrTransaction, userId: string, banned: boolean) {
	await db.user.update({ where: { id: userId }, data: { banned }, select: { id: true } });
}

export async function deleteSessionsOf(db: DatabaseOrTransaction, userId: string) {
	await db.session.deleteMany({ where: { userId } });
}

export async function isSessionRowAlive(db: DatabaseOrTransaction, sessionId: string, now: Date): Promise<boolean> {
	const row = await db.session.findUnique({ where: { id: sessionId }, select: { expiresAt: true, user: { select: { banned: true } } } });
	return row !== null && row.expiresAt > now && row.user.banned !== true;
}

export async function upsertMembership(db: DatabaseOrTransaction, userId: string, workspaceId: string, roles: readonly Role[]) {
	const data = { roles: [...roles] };
	await db.membership.upsert({
		where: { userId_workspaceId: { userId, workspaceId } },
		create: { userId, workspaceId, ...data },
		update: data,
		select: { userId: true },
	});
}

/** Makes a membership unless there is one; whether it did. */
export async function insertMembership(db: DatabaseOrTransaction, userId: string, workspaceId: string, roles: readonly Role[]): Promise<boolean> {
	const made = await db.membership.createMany({ data: [{ userId, workspaceId, roles: [...roles] }], skipDuplicates: true });
	return made.count > 0;
}

export async function deleteMembership(db: DatabaseOrTransaction, userId: string, workspaceId: string) {
	await db.membership.deleteMany({ where: { userId, workspaceId } });
}

export async function insertToken(
	db: DatabaseOrTransaction,
	token: { workspaceId: string; name: string; hash: string; scopes: string[]; createdById: string; expiresAt: Date },
): Promise<string> {
	const row = await db.apiToken.create({ data: { id: newId("tok"), ...token }, select: { id: true } });
	return row.id;
}

export async function listTokenRows(db: DatabaseOrTransaction, workspaceId: string): Promise<ApiToken[]> {
	const rows = await db.apiToken.findMany({
		where: { workspaceId },
		select: { id: true, name: true, scopes: true, createdAt: true, createdById: true, expiresAt: true, lastUsedAt: true, revokedAt: true },
		orderBy: { createdAt: "desc" },
	});
	const people = await db.user.findMany({ where: { id: { in: rows.map((row) => row.createdById) } }, select: { id: true, name: true } });
	const names = new Map(people.map((person) => [person.id, person.name]));
	return rows.map(({ createdById, ...row }) => ({ ...row, createdBy: names.get(createdById) ?? createdById }));
}

export async function findTokenByHash(db: DatabaseOrTransaction, hash: string) {
	return db.apiToken.findUnique({
		where: { hash },
		select: { id: true, workspaceId: true, name: true, scopes: true, expiresAt: true, revokedAt: true, lastUsedAt: true },
	});
}

export async function touchToken(db: DatabaseOrTransaction, id: string, at: Date) {
	await db.apiToken.update({ where: { id }, data: { lastUsedAt: at }, select: { id: true } });
}

/** Revokes a token of the workspace; returns its name, or null when there is none that still stands. */
export async function revokeTokenRow(db: Database | DatabaseOrTransaction, workspaceId: string, id: string, at: Date): Promise<string | null> {
	const row = await db.apiToken.findFirst({ where: { id, workspaceId, revokedAt: null }, select: { name: true } });
	if (!row) return null;
	await db.apiToken.update({ where: { id }, data: { revokedAt: at }, select: { id: true } });
	return row.name;
}
