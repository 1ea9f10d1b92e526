import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Approves and lands: author rule, stop, evidence and base are checked while the evolution is held. */
export const land = workspaceProcedure("review.decide")
	.input(z.object({ proposalId: Id, revisionId: Id, body: z.string().trim().max(10_000).optional() }))
	.output(z.object({ commit: z.string() }))
	.mutation(({ ctx, input: { proposalId, revisionId, body } }) =>
		ctx.services.evolution.land({ workspaceId: ctx.workspace.id, actor: ctx.user, proposalId, revisionId, ...(body ? { body } : {}) }),
	);
