import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const tokenRevoke = workspaceProcedure("token.manage")
	.input(z.object({ id: z.string().min(1).max(80) }))
	.mutation(({ ctx, input }) => ctx.services.auth.revokeToken(ctx.workspace.id, ctx.user, input.id));
