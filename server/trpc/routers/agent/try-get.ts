import { z } from "zod";
import { TrySchema } from "@/server/agent/contract";
import { workspaceProcedure } from "../../init";

/** A try of one's own with its steps. */
export const tryGet = workspaceProcedure("harness.try")
	.input(z.object({ id: z.string() }))
	.output(TrySchema)
	.query(({ ctx, input }) => ctx.services.tries.get({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, input.id));
