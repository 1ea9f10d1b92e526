import { z } from "zod";
import { RoleSchema } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";

/** An empty list takes the person out of the workspace. */
export const personSetRoles = workspaceProcedure("people.manage")
	.input(z.object({ userId: z.string().min(1).max(80), roles: z.array(RoleSchema).max(4) }))
	.mutation(({ ctx, input }) => ctx.services.auth.setRoles(ctx.workspace.id, ctx.user, input.userId, input.roles));
