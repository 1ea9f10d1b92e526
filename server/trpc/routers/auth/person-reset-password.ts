import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const personResetPassword = workspaceProcedure("people.manage")
	.input(z.object({ userId: z.string().min(1).max(80) }))
	.output(z.object({ initialPassword: z.string() }))
	.mutation(({ ctx, input }) => ctx.services.auth.resetPassword(ctx.workspace.id, ctx.user, input.userId));
