import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Closes the open round at the branch's head; it is evaluated by itself. */
export const closeRound = workspaceProcedure("round.close")
	.input(z.object({ roundId: Id }))
	.mutation(({ ctx, input }) => ctx.services.evolution.closeRound({ workspaceId: ctx.workspace.id, roundId: input.roundId, actor: ctx.user }));
