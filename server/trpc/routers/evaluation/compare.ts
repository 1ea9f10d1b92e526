import { z } from "zod";
import { ComparisonSchema, FlipSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";

/** Two runs, paired by case, with every flip. */
export const compare = workspaceProcedure("workspace.read")
	.input(z.object({ baseRunId: z.string().min(1).max(80), runId: z.string().min(1).max(80) }))
	.output(z.object({ comparison: ComparisonSchema, flips: z.array(FlipSchema) }))
	.query(({ ctx, input }) => ctx.services.evaluation.compareIn(ctx.workspace.id, input.baseRunId, input.runId));
