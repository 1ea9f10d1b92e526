import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Asks the editing engine for a proposal for confirmed findings; who asks is its author. */
export const editsRequest = workspaceProcedure("proposal.edit")
	.input(z.object({ evolutionId: Id, findingIds: z.array(Id).min(1).max(20) }))
	.output(z.object({ taskId: z.string() }))
	.mutation(({ ctx, input: { evolutionId, findingIds } }) =>
		ctx.services.evolution.requestEdits({ workspaceId: ctx.workspace.id, evolutionId, findingIds, actor: ctx.user }),
	);
