import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyVersionId } from "./inputs";

/** Queues what is missing to know a checkpoint: dev, test, T2 and T3 on the harness that is live. */
export const checkpointMeasure = workspaceProcedure("run.start")
	.input(PolicyVersionId)
	.output(z.object({}))
	.mutation(async ({ ctx, input }) => {
		await ctx.services.checkpoints.measure(ctx.workspace.id, input.policyVersionId, ctx.user.id);
		return {};
	});
