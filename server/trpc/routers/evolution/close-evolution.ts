import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Ends a campaign: nothing lands any more, its rounds can still be released. */
export const closeEvolution = workspaceProcedure("round.close")
	.input(z.object({ evolutionId: Id, reason: z.string().trim().max(2000).optional() }))
	.mutation(({ ctx, input: { evolutionId, reason } }) =>
		ctx.services.evolution.close({ workspaceId: ctx.workspace.id, evolutionId, actor: ctx.user, ...(reason ? { reason } : {}) }),
	);
