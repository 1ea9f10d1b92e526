import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyReference, policyOf } from "./policy-reference";

/** An admin's written leave to release a policy against a failing gate; a reviewer still makes the release. */
export const policyLeave = workspaceProcedure("gate.override-fail")
	.input(PolicyReference.extend({ reason: z.string().trim().min(3).max(2000) }))
	.output(z.object({}))
	.mutation(async ({ ctx, input }) => {
		const policyVersionId = await policyOf(ctx, input);
		await ctx.services.release.givePolicyLeave({ workspaceId: ctx.workspace.id, policyVersionId, actor: ctx.user, reason: input.reason });
		return {};
	});
