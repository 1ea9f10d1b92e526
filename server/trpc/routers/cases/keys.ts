import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** What people call these cases; a sealed or unknown one is not among them. */
export const keys = workspaceProcedure("workspace.read")
	.input(z.object({ caseIds: z.array(z.string().min(1).max(80)).max(1_000) }))
	.output(z.record(z.string(), z.string()))
	.query(async ({ ctx, input }) => Object.fromEntries(await ctx.services.evaluation.caseKeys(ctx.workspace.id, input.caseIds)));
