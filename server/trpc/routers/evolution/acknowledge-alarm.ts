import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id, Reason } from "./inputs";

/** A reviewer acknowledges a category alarm in writing. */
export const acknowledgeAlarm = workspaceProcedure("alarm.acknowledge")
	.input(z.object({ runId: Id, baseRunId: Id, category: z.string().min(1).max(80), reason: Reason }))
	.mutation(({ ctx, input: { runId, baseRunId, category, reason } }) =>
		ctx.services.evolution.acknowledgeAlarm({ workspaceId: ctx.workspace.id, actor: ctx.user, runId, baseRunId, category, reason }),
	);
