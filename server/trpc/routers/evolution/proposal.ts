import { z } from "zod";
import { ProposalDetailSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** One proposal by id or number, with diff, evidence, conversation, and what this person may do. */
export const proposal = workspaceProcedure("workspace.read")
	.input(z.object({ proposal: Id }))
	.output(ProposalDetailSchema)
	.query(({ ctx, input }) =>
		ctx.services.evolution.proposal({ workspaceId: ctx.workspace.id, proposal: input.proposal, viewer: { id: ctx.user.id, roles: ctx.workspace.roles } }),
	);
