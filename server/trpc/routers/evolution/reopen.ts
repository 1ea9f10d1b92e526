import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id, Reason } from "./inputs";

/** Overrides an early stop with a written reason. */
export const reopen = workspaceProcedure("evolution.reopen")
	.input(z.object({ evolutionId: Id, reason: Reason }))
	.mutation(({ ctx, input: { evolutionId, reason } }) =>
		ctx.services.evolution.reopen({ workspaceId: ctx.workspace.id, evolutionId, actor: ctx.user, reason }),
	);
