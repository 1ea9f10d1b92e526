import { z } from "zod";
import { RunInfoSchema, RunProgressSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { RunId } from "./inputs";

/** A run and how far it is. The screen asks again when the stream says that it moved. */
export const run = workspaceProcedure("workspace.read")
	.input(RunId)
	.output(z.object({ run: RunInfoSchema, progress: RunProgressSchema }))
	.query(async ({ ctx, input }) => {
		const found = await ctx.services.evaluation.get(ctx.workspace.id, input.runId);
		return { run: found, progress: await ctx.services.evaluation.progress(found.id) };
	});
