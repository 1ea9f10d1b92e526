import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const draftRestore = workspaceProcedure("draft.edit")
	.input(z.object({ id: z.string().min(1).max(80) }))
	.mutation(({ ctx, input }) => ctx.services.harness.drafts.restore(input.id, ctx.workspace.id, ctx.user.id));
