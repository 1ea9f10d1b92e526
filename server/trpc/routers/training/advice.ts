import { z } from "zod";
import { AdviceEntrySchema, AdviceSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Edit or retrain? What is advised now, and what became of the earlier advice. */
export const advice = workspaceProcedure("workspace.read")
	.output(z.object({ now: AdviceSchema, history: z.array(AdviceEntrySchema) }))
	.query(async ({ ctx }) => {
		const now = await ctx.services.advice.advise(ctx.workspace.id);
		return { now, history: await ctx.services.advice.history(ctx.workspace.id) };
	});
