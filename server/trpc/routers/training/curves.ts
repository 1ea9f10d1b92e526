import { z } from "zod";
import { TrainingRecordSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";
import { TrainingId } from "./inputs";

/** Points of a training's curves from a position on: whoever follows asks for what is new. */
export const curves = workspaceProcedure("workspace.read")
	.input(TrainingId.extend({ from: z.number().int().min(0).max(1_000_000).default(0) }))
	.output(z.object({ from: z.number().int(), records: z.array(TrainingRecordSchema) }))
	.query(async ({ ctx, input: { trainingId, from } }) => {
		const { id } = await ctx.services.training.getIn(ctx.workspace.id, trainingId);
		return { from, records: await ctx.services.training.records(id, from) };
	});
