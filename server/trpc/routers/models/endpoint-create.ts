import { CreateEndpointSchema, EndpointSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

export const endpointCreate = workspaceProcedure("endpoint.manage")
	.input(CreateEndpointSchema)
	.output(EndpointSchema)
	.mutation(({ ctx, input: { workspace: _, ...endpoint } }) => ctx.services.models.createEndpoint(ctx.workspace.id, ctx.user, endpoint));
