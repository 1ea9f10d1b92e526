import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const connectionDelete = workspaceProcedure("connection.manage")
	.input(z.object({ id: z.string().min(1).max(80) }))
	.mutation(({ ctx, input }) => ctx.services.models.deleteConnection(ctx.workspace.id, ctx.user, input.id));
