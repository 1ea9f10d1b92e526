import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

/** Puts the draft away; `draftRestore` with the id brings it back. */
export const draftDiscard = workspaceProcedure("draft.edit")
	.input(z.object({ ...target, version: z.number().int().min(1) }))
	.mutation(({ ctx, input }) => ctx.services.harness.drafts.discard(draftKey(ctx, input), input.version));
