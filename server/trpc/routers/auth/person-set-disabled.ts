import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const personSetDisabled = workspaceProcedure("people.manage")
	.input(z.object({ userId: z.string().min(1).max(80), disabled: z.boolean() }))
	.mutation(({ ctx, input }) => ctx.services.auth.setDisabled(ctx.workspace.id, ctx.user, input.userId, input.disabled));
