import { z } from "zod";
import { FileChangesSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

const Input = z.object({
	...target,
	/** The version that the window saw; 0 when there was no draft. */
	version: z.number().int().min(0),
	patch: FileChangesSchema,
	/** Paths that go back to the base. */
	revert: z.array(z.string().max(240)).max(2_000).optional(),
});

/** Saves the draft and answers with the workbench as it now is, problems and all. */
export const draftSave = workspaceProcedure("draft.edit")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		const key = draftKey(ctx, input);
		await ctx.services.harness.drafts.save(key, input);
		const { baseFiles: _baseFiles, ...view } = await ctx.services.harness.openWorkbench(key);
		return view;
	});
