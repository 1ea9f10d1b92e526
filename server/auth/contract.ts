import * as z from "zod";

export const RoleSchema = z.enum(["operator", "reviewer", "viewer", "admin"]);
export type Role = z.infer<typeof RoleSchema>;

const everyone = ["operator", "reviewer", "viewer", "admin"] as const;
const editors = ["operator", "reviewer"] as const;
const reviewers = ["reviewer"] as const;
const admins = ["admin"] as const;

/**
 * The permission table: every procedure, route, stream and export names one entry. `public` needs no session, `session`
 * any signed-in person; the rest name the roles of a workspace. An admin may neither approve nor release.
 */
export const permissions = {
	public: [],
	session: [],
	"workspace.read": everyone,
	comment: everyone,
	"case.import": editors,
	"case.edit": editors,
	"run.start": editors,
	"run.control": editors,
	"harness.try": editors,
	"draft.edit": editors,
	"harness.import": editors,
	"envelope.edit": editors,
	"training.start": editors,
	"training.control": editors,
	"finding.diagnose": editors,
	"finding.decide": editors,
	"proposal.edit": editors,
	"proposal.submit": editors,
	"evolution.start": editors,
	"review.decide": reviewers,
	"round.close": reviewers,
	"evolution.reopen": reviewers,
	"alarm.acknowledge": reviewers,
	"release.create": reviewers,
	"release.rollback": reviewers,
	"gate.override-inconclusive": reviewers,
	"gate.override-fail": admins,
	"gate.edit": admins,
	"advice.edit": admins,
	"people.manage": admins,
	"endpoint.manage": admins,
	"connection.manage": admins,
	"rule.manage": admins,
	"token.manage": admins,
	"audit.read": admins,
	"settings.edit": admins,
	"checkpoint.remove": admins,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/** Whether someone with these roles in a workspace holds the permission. `public` and `session` are not asked here. */
export function isAllowed(permission: Permission, roles: readonly Role[]): boolean {
	const allowed: readonly Role[] = permissions[permission];
	return roles.some((role) => allowed.includes(role));
}

export interface SessionUser {
	id: string;
	name: string;
	email: string;
	demo: boolean;
}

/** The demo people, by what they are for. */
export const PersonaSchema = z.enum(["operator", "reviewer", "viewer", "admin"]);
export type Persona = z.infer<typeof PersonaSchema>;

/** An empty token: the browser has signed in with it before, and its cookie says so. */
export const DemoSignInSchema = z.object({ token: z.string().max(200), persona: PersonaSchema });

export const PersonSchema = z.object({
	id: z.string(),
	name: z.string(),
	email: z.string(),
	roles: z.array(RoleSchema),
	demo: z.boolean(),
	disabled: z.boolean(),
	/** Whether an admin here may reset the password or disable the account: they manage every workspace the person is in. */
	manageable: z.boolean(),
	createdAt: z.date(),
	lastSeenAt: z.date().nullable(),
});
export type Person = z.infer<typeof PersonSchema>;

export const CreatePersonSchema = z.object({
	name: z.string().trim().min(1).max(120),
	email: z.email().max(320),
	roles: z.array(RoleSchema).min(1).max(4),
});
export type CreatePerson = z.infer<typeof CreatePersonSchema>;

/** What a machine's token may do. */
export const TokenScopeSchema = z.union([
	z.literal("release.read"),
	/** One trigger, by its id. */
	z.templateLiteral(["trigger.call:", z.string().regex(/^[\w-]{1,60}$/)]),
]);
export type TokenScope = z.infer<typeof TokenScopeSchema>;

export const CreateTokenSchema = z.object({
	name: z.string().trim().min(1).max(120),
	scopes: z.array(TokenScopeSchema).min(1),
	expiresInDays: z.number().int().min(1).max(366).default(90),
});
export type CreateToken = z.input<typeof CreateTokenSchema>;

export const ApiTokenSchema = z.object({
	id: z.string(),
	name: z.string(),
	scopes: z.array(z.string()),
	createdAt: z.date(),
	createdBy: z.string(),
	expiresAt: z.date(),
	lastUsedAt: z.date().nullable(),
	revokedAt: z.date().nullable(),
});
export type ApiToken = z.infer<typeof ApiTokenSchema>;
