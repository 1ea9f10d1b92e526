import { z } from "zod";
import { workspaceProcedure } from "../../init";

export const endpointDelete = workspaceProcedure("endpoint.manage")
	.input(z.object({ id: z.string().min(1).max(80) }))
	.mutation(({ ctx, input }) => ctx.services.models.deleteEndpoint(ctx.workspace.id, ctx.user, input.id));
