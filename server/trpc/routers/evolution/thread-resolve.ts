import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Resolves a thread, or opens it again. */
export const threadResolve = workspaceProcedure("comment")
	.input(z.object({ proposalId: Id, commentId: Id, resolved: z.boolean() }))
	.mutation(({ ctx, input: { proposalId, commentId, resolved } }) =>
		ctx.services.evolution.resolveThread({ workspaceId: ctx.workspace.id, actor: ctx.user, proposalId, commentId, resolved }),
	);
