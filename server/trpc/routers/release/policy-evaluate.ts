import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyReference, policyOf } from "./policy-reference";

/** Queues the runs that compare a policy with the one in force: dev, test, T2 and T3. */
export const policyEvaluate = workspaceProcedure("run.start")
	.input(PolicyReference)
	.output(z.object({}))
	.mutation(async ({ ctx, input }) => {
		await ctx.services.release.evaluatePolicy({ workspaceId: ctx.workspace.id, policyVersionId: await policyOf(ctx, input), actor: ctx.user });
		return {};
	});
