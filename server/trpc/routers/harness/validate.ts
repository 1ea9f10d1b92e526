import { z } from "zod";
import { FileChangesSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

/** Problems of the draft with what the window has typed since; saves nothing. */
export const validate = workspaceProcedure("draft.edit")
	.meta({ permission: "draft.edit", anyText: true })
	.input(z.object({ ...target, changes: FileChangesSchema.default({}) }))
	.mutation(async ({ ctx, input }) => {
		const { files } = await ctx.services.harness.draftFiles(draftKey(ctx, input), input.changes);
		return { problems: await ctx.services.harness.validate(ctx.workspace.id, files, input.kind) };
	});
