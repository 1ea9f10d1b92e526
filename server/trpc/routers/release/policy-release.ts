import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyReference, policyOf } from "./policy-reference";
import { ReleasedSchema, unlessEvaluating } from "./unless-evaluating";

/** Releases a policy version on the files that are live, once the gate's runs are done; starts those that are missing. */
export const policyRelease = workspaceProcedure("release.create")
	.input(PolicyReference.extend({ reason: z.string().trim().max(2000).optional() }))
	.output(ReleasedSchema)
	.mutation(async ({ ctx, input }) => {
		const policyVersionId = await policyOf(ctx, input);
		return unlessEvaluating(
			ctx.services.release.releasePolicy({ workspaceId: ctx.workspace.id, policyVersionId, actor: ctx.user, reason: input.reason || undefined }),
		);
	});
