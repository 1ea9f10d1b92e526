import { CaseImportReportSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { ImportInput } from "./import-input";

/** What an import would do: every bad row with line and reason. Nothing is stored. */
export const dryRun = workspaceProcedure("case.import")
	.input(ImportInput)
	.output(CaseImportReportSchema)
	.mutation(async ({ ctx, input }) => {
		const source = await ctx.services.uploads.open({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, input.uploadId, input.fileName);
		return ctx.services.evaluation.dryRunImport({ workspaceId: ctx.workspace.id, suiteKey: input.suite }, source, input.options);
	});
