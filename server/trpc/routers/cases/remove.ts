import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** Takes open cases out of the suite (a new version without them); earlier versions keep them. */
export const remove = workspaceProcedure("case.edit")
	.input(z.object({ suite: z.string().min(1).max(80), caseIds: z.array(z.string().min(1).max(80)).min(1).max(500) }))
	.output(z.object({ version: z.number().int(), removed: z.number().int() }))
	.mutation(({ ctx, input }) =>
		ctx.services.evaluation.removeCases({ workspaceId: ctx.workspace.id, suiteKey: input.suite }, input.caseIds, { id: ctx.user.id, name: ctx.user.name }),
	);
