import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Evaluates the last revision on dev against the branch; in review when that is done. */
export const proposalSubmit = workspaceProcedure("proposal.submit")
	.input(z.object({ proposalId: Id }))
	.mutation(({ ctx, input }) => ctx.services.evolution.submitProposal({ workspaceId: ctx.workspace.id, proposalId: input.proposalId, actor: ctx.user }));
