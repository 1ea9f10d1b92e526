import { z } from "zod";
import { EndpointRoleSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

/** Gives a role to an endpoint, or back to the built-in engine (null). */
export const roleAssign = workspaceProcedure("endpoint.manage")
	.input(z.object({ role: EndpointRoleSchema, endpointId: z.string().min(1).max(80).nullable() }))
	.mutation(({ ctx, input }) => ctx.services.models.assignRole(ctx.workspace.id, ctx.user, input.role, input.endpointId));
