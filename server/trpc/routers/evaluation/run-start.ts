import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { resolveStart, StartInput } from "./start-input";

/** Queues a run. */
export const runStart = workspaceProcedure("run.start")
	.input(StartInput)
	.output(z.object({ id: z.string(), number: z.number().int() }))
	.mutation(async ({ ctx, input }) => {
		const start = await resolveStart(ctx.services, ctx.workspace.id, input);
		const run = await ctx.services.evaluation.start({ ...start, reason: "manual" }, { id: ctx.user.id, name: ctx.user.name });
		return { id: run.id, number: run.number };
	});
