import { z } from "zod";
import { EndpointTestSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

/** Tries an endpoint step by step; takes up to a minute where it is slow. */
export const endpointTest = workspaceProcedure("endpoint.manage")
	.input(z.object({ id: z.string().min(1).max(80) }))
	.output(EndpointTestSchema)
	.mutation(({ ctx, input }) => ctx.services.models.testEndpoint(ctx.workspace.id, input.id));
