import { z } from "zod";
import { EndpointSchema, UpdateEndpointSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

export const endpointUpdate = workspaceProcedure("endpoint.manage")
	.input(UpdateEndpointSchema)
	/** `keyCleared`: the host changed, so the key must be entered again. */
	.output(z.object({ endpoint: EndpointSchema, keyCleared: z.boolean() }))
	.mutation(({ ctx, input: { workspace: _, ...endpoint } }) => ctx.services.models.updateEndpoint(ctx.workspace.id, ctx.user, endpoint));
