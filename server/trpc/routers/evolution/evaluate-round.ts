import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Starts the runs of a round that is being closed: with the rule switched off, or again after a failure. */
export const evaluateRound = workspaceProcedure("round.close")
	.input(z.object({ roundId: Id }))
	.mutation(({ ctx, input }) => ctx.services.evolution.evaluateRound({ workspaceId: ctx.workspace.id, roundId: input.roundId, actor: ctx.user }));
