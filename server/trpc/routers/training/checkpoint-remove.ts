import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyVersionId } from "./inputs";

/** Removes an imported checkpoint that nothing refers to; the refusal says by what it is referred to. */
export const checkpointRemove = workspaceProcedure("checkpoint.remove")
	.input(PolicyVersionId)
	.output(z.object({ name: z.string() }))
	.mutation(async ({ ctx, input }) => {
		const asked = { workspaceId: ctx.workspace.id, policy: input.policyVersionId, actor: ctx.user };
		const { name } = await ctx.services.training.removeCheckpoint({ ...asked, confirmed: true });
		return { name };
	});
