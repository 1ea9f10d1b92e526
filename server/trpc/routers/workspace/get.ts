import { z } from "zod";
import { RoleSchema } from "@/server/auth/contract";
import { WorkspaceSchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

/** The workspace, and the caller's roles in it. */
export const get = workspaceProcedure("workspace.read")
	.output(WorkspaceSchema.extend({ roles: z.array(RoleSchema) }))
	.query(async ({ ctx }) => ({ ...(await ctx.services.workspace.getById(ctx.workspace.id)), roles: ctx.workspace.roles }));
