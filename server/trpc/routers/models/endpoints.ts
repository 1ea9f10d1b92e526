import { z } from "zod";
import { EndpointSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

/** The endpoints, without any key. */
export const endpoints = workspaceProcedure("endpoint.manage")
	.output(z.array(EndpointSchema))
	.query(({ ctx }) => ctx.services.models.listEndpoints(ctx.workspace.id));
