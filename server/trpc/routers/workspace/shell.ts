import { isAllowed, type Permission, permissions } from "@/server/auth/contract";
import { ShellSchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

/** The frame around every page: where we are, as whom, what is live, and what waits for this person. */
export const shell = workspaceProcedure("workspace.read")
	.output(ShellSchema)
	.query(async ({ ctx }) => {
		const { auth, judges, policies, workspace: workspaces } = ctx.services;
		const { id, roles } = ctx.workspace;
		const can = { edit: isAllowed("finding.decide", roles), review: isAllowed("review.decide", roles), train: isAllowed("training.start", roles) };
		const [workspace, memberships, policy, frame] = await Promise.all([
			workspaces.getById(id),
			auth.listMemberships(ctx.user.id),
			policies.current(id),
			workspaces.readFrame(id, ctx.user.id, can),
		]);
		return {
			workspace: { id, slug: workspace.slug, title: workspace.title, categories: workspace.categories },
			workspaces: memberships.map(({ slug, title }) => ({ slug, title })),
			person: ctx.user,
			roles,
			permissions: (Object.keys(permissions) as Permission[]).filter((permission) => isAllowed(permission, roles)),
			released: frame.released,
			// Before the first run there is no version yet; the judge in force becomes one, as the policy does.
			engines: { policy: policy.name, judge: frame.judge ?? (await judges.current(id)).name },
			counts: frame.counts,
		};
	});
