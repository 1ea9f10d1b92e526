import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { RunId } from "./inputs";

/** Cancels, resumes, or retries the infrastructure errors of a run. */
export const runControl = workspaceProcedure("run.control")
	.input(RunId.extend({ command: z.enum(["cancel", "resume", "retry-errors"]) }))
	.output(z.object({ ok: z.literal(true) }))
	.mutation(async ({ ctx, input }) => {
		await ctx.services.evaluation.control(ctx.workspace.id, input.runId, input.command, { id: ctx.user.id, name: ctx.user.name });
		return { ok: true as const };
	});
