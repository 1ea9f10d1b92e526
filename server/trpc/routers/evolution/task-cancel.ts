import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Gives up an engine's task; an answer that comes later is dropped. */
export const taskCancel = workspaceProcedure("finding.diagnose")
	.input(z.object({ taskId: Id }))
	.mutation(({ ctx, input }) => ctx.services.evolution.cancelTask({ workspaceId: ctx.workspace.id, taskId: input.taskId, actor: ctx.user }));
