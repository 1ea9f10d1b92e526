import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyReference, policyOf } from "./policy-reference";

/** Releases a policy version on the files that are live. `release-evaluating` (412) says that the gate's runs are under way. */
export const policyRelease = workspaceProcedure("release.create")
	.input(PolicyReference.extend({ reason: z.string().trim().max(2000).optional() }))
	.output(z.object({ tag: z.string() }))
	.mutation(async ({ ctx, input }) => {
		const policyVersionId = await policyOf(ctx, input);
		return ctx.services.release.releasePolicy({ workspaceId: ctx.workspace.id, policyVersionId, actor: ctx.user, reason: input.reason || undefined });
	});
