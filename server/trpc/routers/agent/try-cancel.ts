import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** Stops a try of one's own; one that is over stays as it is. */
export const tryCancel = workspaceProcedure("harness.try")
	.input(z.object({ id: z.string() }))
	.output(z.void())
	.mutation(({ ctx, input }) => ctx.services.tries.cancel({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, input.id));
