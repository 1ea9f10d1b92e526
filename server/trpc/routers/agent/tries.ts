import { z } from "zod";
import { TrySourceSchema, TrySummarySchema } from "@/server/agent/contract";
import { workspaceProcedure } from "../../init";

/** One's own latest tries, of one draft or revision, or of all. */
export const tries = workspaceProcedure("harness.try")
	.input(z.object({ source: TrySourceSchema.optional() }))
	.output(z.array(TrySummarySchema))
	.query(({ ctx, input }) => ctx.services.tries.list({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, input.source));
