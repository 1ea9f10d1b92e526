import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id, Reason } from "./inputs";

/** A reviewer asks for changes or rejects, with the reason. */
export const review = workspaceProcedure("review.decide")
	.input(z.object({ proposalId: Id, revisionId: Id, verdict: z.enum(["request-changes", "reject"]), body: Reason }))
	.mutation(({ ctx, input: { proposalId, revisionId, verdict, body } }) =>
		ctx.services.evolution.review({ workspaceId: ctx.workspace.id, actor: ctx.user, proposalId, revisionId, verdict, body }),
	);
