import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Starts a diagnosis of the branch's head on dev; one that is under way is returned instead of a second one. */
export const diagnose = workspaceProcedure("finding.diagnose")
	.input(z.object({ evolutionId: Id }))
	.output(z.object({ taskId: z.string() }))
	.mutation(({ ctx, input }) => ctx.services.evolution.diagnose({ workspaceId: ctx.workspace.id, evolutionId: input.evolutionId, actor: ctx.user }));
