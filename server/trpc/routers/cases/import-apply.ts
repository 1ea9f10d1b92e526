import { z } from "zod";
import { CaseImportReportSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { ImportInput } from "./import-input";

/** Imports the good rows as a new version of the suite; the file is then removed. */
export const importApply = workspaceProcedure("case.import")
	.input(ImportInput)
	.output(CaseImportReportSchema.extend({ suiteVersion: z.object({ id: z.string(), version: z.number().int(), created: z.boolean() }) }))
	.mutation(async ({ ctx, input }) => {
		const owner = { workspaceId: ctx.workspace.id, userId: ctx.user.id };
		const source = await ctx.services.uploads.open(owner, input.uploadId, input.fileName);
		const actor = { id: ctx.user.id, name: ctx.user.name };
		const result = await ctx.services.evaluation.importCases({ workspaceId: ctx.workspace.id, suiteKey: input.suite }, source, actor, input.options);
		await ctx.services.uploads.remove(owner, input.uploadId);
		return result;
	});
