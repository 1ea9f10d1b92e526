import { z } from "zod";
import { isAllowed } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Takes a proposal back: an author, or a reviewer. */
export const proposalWithdraw = workspaceProcedure("proposal.edit")
	.input(z.object({ proposalId: Id, reason: z.string().trim().max(2000).optional() }))
	.mutation(({ ctx, input: { proposalId, reason } }) =>
		ctx.services.evolution.withdrawProposal({
			workspaceId: ctx.workspace.id,
			proposalId,
			actor: ctx.user,
			isReviewer: isAllowed("review.decide", ctx.workspace.roles),
			...(reason ? { reason } : {}),
		}),
	);
