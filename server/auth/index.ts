import type { Database } from "@/server/db/client";
import { type Clock, systemClock } from "@/server/kernel/clock";
import { env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { studioSecret } from "@/server/kernel/secret";
import { type Actor, LocalizedTextSchema, SERVICE_ACTORS } from "@/server/workspace/contract";
import * as repository from "./auth.repository";
import type { AuthSettings } from "./better-auth";
import type { CreatePerson, CreateToken, Persona, Role, TokenScope } from "./contract";
import { demoPeople } from "./demo-people";
import { createHostPolicy, isDemoAllowed } from "./host-policy";
import * as people from "./people";
import { createSessionService } from "./sessions";
import * as tokens from "./tokens";

export type { AuthSettings } from "./better-auth";
export { createHostPolicy } from "./host-policy";

/** The settings of this process. Demo people need: the embedded database, a loopback address, no proxy, and the launcher's token. */
export function readAuthSettings(): AuthSettings {
	const { STUDIO_HOST: host, PORT: port, STUDIO_BASE_URL: baseUrl, STUDIO_EMBEDDED, STUDIO_DEMO_TOKEN: demoToken } = env();
	const address = { host, port, baseUrl, embedded: STUDIO_EMBEDDED === "1", demoToken };
	return {
		secret: studioSecret(),
		baseUrl: baseUrl ?? `http://127.0.0.1:${port}`,
		port,
		hosts: createHostPolicy(address),
		demoToken: isDemoAllowed(address) && demoToken ? demoToken : null,
	};
}

/** People, sessions, roles and tokens. The only way to know who calls. */
export function createAuthService(db: Database, settings: AuthSettings, clock: Clock = systemClock) {
	const demoAvailable = settings.demoToken !== null;
	return {
		...createSessionService(db, settings, clock),
		demoAvailable,

		/** The person's roles in the workspace of this slug; null when not a member. */
		findMembership: (userId: string, slug: string): Promise<{ id: string; slug: string; roles: Role[] } | null> =>
			repository.findMembershipRow(db, userId, slug),

		/** The workspaces a person belongs to, oldest first. */
		async listMemberships(userId: string) {
			const rows = await repository.listMembershipRows(db, userId);
			return rows.map((row) => ({ ...row, title: LocalizedTextSchema.parse(row.title) }));
		},

		/** Who can be entered with the start's token. */
		demoPersonas: (): { persona: Persona; name: string; roles: Role[] }[] =>
			demoAvailable
				? (Object.keys(demoPeople) as Persona[]).map((persona) => ({ persona, name: demoPeople[persona].name, roles: demoPeople[persona].roles }))
				: [],

		/** Makes the demo people members of a workspace; refuses where they may not exist. */
		async seedDemoPeople(workspaceId: string): Promise<void> {
			if (!demoAvailable) throw new AppError("precondition", "Demo people exist only on loopback with the embedded database.", { reason: "demo-unavailable" });
			await people.seedDemoPeople(db, workspaceId);
		},

		/** For a command that makes a workspace beside a running demo: those who are there belong to it at once. Makes nobody. */
		joinDemoPeople: (workspaceId: string) => people.joinDemoPeople(db, workspaceId),

		/** Whether anyone but demo people has an account. */
		hasPeople: async () => (await repository.countUsers(db)) > 0,

		/** An admin of a workspace, made from the command line; returns the initial password of someone new once. A member becomes an admin too. */
		createFirstAdmin: (workspaceId: string, input: Omit<CreatePerson, "roles">) => people.createAdmin(db, workspaceId, SERVICE_ACTORS.system, input),

		/** A new password for someone who lost it, from the command line; ends their sessions and returns it once. */
		resetPasswordByEmail: (email: string) => people.resetPasswordByEmail(db, SERVICE_ACTORS.system, email),

		/** The creator of a workspace made by command or import becomes its member with these roles. */
		addMember: (workspaceId: string, userId: string, roles: Role[]) => repository.upsertMembership(db, userId, workspaceId, roles),

		listPeople: (workspaceId: string, adminId: string) => people.listPeople(db, workspaceId, adminId),
		createPerson: (workspaceId: string, actor: Actor, input: CreatePerson) => people.createPerson(db, workspaceId, actor, input),
		setRoles: (workspaceId: string, actor: Actor, userId: string, roles: Role[]) => people.setRoles(db, workspaceId, actor, userId, roles),
		setDisabled: (workspaceId: string, actor: Actor, userId: string, disabled: boolean) => people.setDisabled(db, workspaceId, actor, userId, disabled),
		resetPassword: (workspaceId: string, actor: Actor, userId: string) => people.resetPassword(db, workspaceId, actor, userId),

		/** Names of people and services by id, for pages that show who did something. */
		async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
			const services = Object.values(SERVICE_ACTORS).map((actor) => [actor.id, actor.name] as const);
			return new Map([...services, ...(await repository.listNames(db, [...new Set(ids)]))]);
		},

		/** Name and address of people and services by id; unknown ids are left out. A service has no address. */
		async describePeople(ids: readonly string[]): Promise<Map<string, { id: string; name: string; email: string }>> {
			const services = Object.values(SERVICE_ACTORS).filter((actor) => ids.includes(actor.id));
			const people = await repository.listPeopleByIds(db, [...new Set(ids)]);
			return new Map([...services.map((actor) => ({ ...actor, email: "" })), ...people].map((person) => [person.id, person]));
		},

		listTokens: (workspaceId: string) => repository.listTokenRows(db, workspaceId),
		createToken: (workspaceId: string, actor: Actor, input: CreateToken) => tokens.createToken(db, clock, workspaceId, actor, input),
		revokeToken: (workspaceId: string, actor: Actor, id: string) => tokens.revokeToken(db, clock, workspaceId, actor, id),
		verifyToken: (authorization: string | null, scope: TokenScope) => tokens.verifyToken(db, clock, authorization, scope),
	};
}

export type AuthService = ReturnType<typeof createAuthService>;
