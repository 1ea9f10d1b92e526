import { randomInt } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import type { Database } from "@/server/db/client";
import { AppError } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { recordAudit } from "@/server/workspace";
import type { Actor } from "@/server/workspace/contract";
import * as repository from "./auth.repository";
import { type CreatePerson, CreatePersonSchema, type Person, type Persona, type Role, RoleSchema } from "./contract";
import { demoPeople } from "./demo-people";

const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"; // no 0/o, 1/l/i: it is read out and typed

/** A password to hand over once: 16 characters of 31, about 79 bits. */
export function createInitialPassword(): string {
	const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
	return [group(), group(), group(), group()].join("-");
}

const unknownPerson = () => new AppError("not-found", "There is no such person in this workspace.", { reason: "person-unknown" });
const lastAdmin = () =>
	new AppError("precondition", "A workspace keeps at least one admin.", { reason: "last-admin", fix: "Give another person the admin role first." });
const isMember = (email: string) =>
	new AppError("conflict", `${email} belongs to this workspace already.`, {
		reason: "person-member",
		params: { email },
		fix: "Change the roles in the list of people.",
	});

/** The people of a workspace, with who may be managed by this admin (only those whose every workspace the admin manages). */
export async function listPeople(db: Database, workspaceId: string, adminId: string): Promise<Person[]> {
	const [rows, managed] = await Promise.all([repository.listPeopleRows(db, workspaceId), repository.listAdminWorkspaceIds(db, adminId)]);
	return rows.map(({ workspaceIds, banned, ...row }) => ({
		...row,
		disabled: banned,
		manageable: !row.demo && row.id !== adminId && workspaceIds.every((id) => managed.includes(id)),
	}));
}

async function findPerson(db: Database, workspaceId: string, adminId: string, userId: string): Promise<Person> {
	const person = (await listPeople(db, workspaceId, adminId)).find((candidate) => candidate.id === userId);
	if (!person) throw unknownPerson();
	return person;
}

async function findManageable(db: Database, workspaceId: string, adminId: string, userId: string): Promise<Person> {
	const person = await findPerson(db, workspaceId, adminId, userId);
	if (person.manageable) return person;
	throw new AppError("forbidden", "You can't manage this account here.", {
		reason: "person-not-manageable",
		fix: "Demo people, your own account, and people of workspaces that you don't manage can only have their roles changed.",
	});
}

/**
 * Adds a person to a workspace. Someone new gets an initial password, returned once and kept only as a hash; someone who
 * has an account already keeps it, and no password is returned. Throws `conflict` / `person-member` for someone who
 * belongs to the workspace: roles change in `setRoles` only, which keeps the last admin.
 */
export async function createPerson(
	db: Database,
	workspaceId: string,
	actor: Actor,
	input: CreatePerson,
): Promise<{ userId: string; initialPassword: string | null }> {
	const person = CreatePersonSchema.parse(input);
	const existing = await repository.findUserByEmail(db, person.email);
	const initialPassword = existing ? null : createInitialPassword();
	const passwordHash = initialPassword === null ? null : await hashPassword(initialPassword);
	const userId = existing?.id ?? newId("usr");
	await db.$transaction(async (tx) => {
		if (!existing) await repository.insertUser(tx, { id: userId, name: person.name, email: person.email, demo: false, passwordHash });
		if (!(await repository.insertMembership(tx, userId, workspaceId, person.roles))) throw isMember(person.email);
		await recordAudit(tx, { workspaceId, actor, action: "person.add", subject: person.email.toLowerCase(), detail: { roles: person.roles } });
	});
	return { userId, initialPassword };
}

/** For the command line, where the machine is the authority: adds an admin, or gives a member that role beside their own. */
export async function createAdmin(
	db: Database,
	workspaceId: string,
	actor: Actor,
	input: Omit<CreatePerson, "roles">,
): Promise<{ userId: string; initialPassword: string | null }> {
	const member = (await repository.listPeopleRows(db, workspaceId)).find((row) => row.email === input.email.toLowerCase());
	if (!member) return createPerson(db, workspaceId, actor, { ...input, roles: ["admin"] });
	await setRoles(db, workspaceId, actor, member.id, [...member.roles, "admin"]);
	return { userId: member.id, initialPassword: null };
}

/** Sets a person's roles here; an empty list takes them out of the workspace. The last admin stays. */
export async function setRoles(db: Database, workspaceId: string, actor: Actor, userId: string, roles: Role[]): Promise<void> {
	const wanted = [...new Set(roles.map((role) => RoleSchema.parse(role)))];
	const person = await findPerson(db, workspaceId, actor.id, userId);
	await db.$transaction(async (tx) => {
		const admins = await repository.lockAdminIds(tx, workspaceId);
		if (!wanted.includes("admin") && admins.includes(userId) && admins.length === 1) throw lastAdmin();
		if (wanted.length === 0) await repository.deleteMembership(tx, userId, workspaceId);
		else await repository.upsertMembership(tx, userId, workspaceId, wanted);
		await recordAudit(tx, { workspaceId, actor, action: "person.roles", subject: person.email, detail: { before: person.roles, after: wanted } });
	});
}

/** Disables or enables an account everywhere; a disabled one is signed out at once. */
export async function setDisabled(db: Database, workspaceId: string, actor: Actor, userId: string, disabled: boolean): Promise<void> {
	const person = await findManageable(db, workspaceId, actor.id, userId);
	await db.$transaction(async (tx) => {
		const admins = await repository.lockAdminIds(tx, workspaceId);
		if (disabled && admins.includes(userId) && admins.length === 1) throw lastAdmin();
		await repository.setBanned(tx, userId, disabled);
		if (disabled) await repository.deleteSessionsOf(tx, userId);
		await recordAudit(tx, { workspaceId, actor, action: disabled ? "person.disable" : "person.enable", subject: person.email });
	});
}

/** Gives a person a new initial password (returned once) and ends their sessions. */
export async function resetPassword(db: Database, workspaceId: string, actor: Actor, userId: string): Promise<{ initialPassword: string }> {
	const person = await findManageable(db, workspaceId, actor.id, userId);
	const initialPassword = createInitialPassword();
	const hash = await hashPassword(initialPassword);
	await db.$transaction(async (tx) => {
		await repository.setPasswordHash(tx, userId, hash);
		await repository.deleteSessionsOf(tx, userId);
		await recordAudit(tx, { workspaceId, actor, action: "person.reset-password", subject: person.email });
	});
	return { initialPassword };
}

/** For the command line, where the machine is the authority: the same by address, audited in each of the person's workspaces. */
export async function resetPasswordByEmail(db: Database, actor: Actor, email: string): Promise<{ initialPassword: string }> {
	const person = await repository.findUserByEmail(db, email);
	if (!person) throw new AppError("not-found", "Nobody has this address.", { reason: "person-unknown" });
	if (person.demo) throw new AppError("bad-input", "Demo people have no password.", { reason: "person-demo" });
	const initialPassword = createInitialPassword();
	const hash = await hashPassword(initialPassword);
	const memberships = await repository.listMembershipRows(db, person.id);
	await db.$transaction(async (tx) => {
		await repository.setPasswordHash(tx, person.id, hash);
		await repository.deleteSessionsOf(tx, person.id);
		for (const { id } of memberships) await recordAudit(tx, { workspaceId: id, actor, action: "person.reset-password", subject: person.email });
	});
	return { initialPassword };
}

/** Makes the demo people and gives each their role in a workspace; roles that an admin has changed since stay. */
export async function seedDemoPeople(db: Database, workspaceId: string): Promise<void> {
	for (const persona of Object.keys(demoPeople) as Persona[]) {
		const { id, name, email, roles } = demoPeople[persona];
		const known = await repository.findUser(db, id);
		if (!known) await repository.insertUser(db, { id, name, email, demo: true, passwordHash: null });
		await repository.insertMembership(db, id, workspaceId, roles);
	}
}

/** The demo people that a start has made become members of a workspace that was made since; makes nobody. */
export async function joinDemoPeople(db: Database, workspaceId: string): Promise<void> {
	for (const { id, roles } of Object.values(demoPeople)) if (await repository.findUser(db, id)) await repository.insertMembership(db, id, workspaceId, roles);
}
