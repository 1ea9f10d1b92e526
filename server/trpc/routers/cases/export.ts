import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** Dev and test cases of a suite version. The holdout is in no export. */
export const exportCases = workspaceProcedure("workspace.read")
	.input(z.object({ suiteVersionId: z.string().min(1).max(80), format: z.enum(["csv", "jsonl"]) }))
	.output(z.object({ name: z.string(), content: z.string() }))
	.query(async ({ ctx, input }) => ({
		name: `cases-${ctx.workspace.slug}.${input.format}`,
		content: await ctx.services.evaluation.exportCases(ctx.workspace.id, input.suiteVersionId, input.format),
	}));
