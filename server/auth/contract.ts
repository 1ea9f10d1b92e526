import { z } from "zod";

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
	"people.manage": admins,
	"endpoint.manage": admins,
	"connection.manage": admins,
	"rule.manage": admins,
	"token.manage": admins,
	"audit.read": admins,
	"settings.edit": admins,
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
