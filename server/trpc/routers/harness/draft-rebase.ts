import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { authorOf, draftKey, target } from "./inputs";

const Input = z.object({ ...target, version: z.number().int().min(1), choices: z.record(z.string(), z.enum(["draft", "branch"])).optional() });

/** Moves the draft onto the branch's head; conflicts come back as data, to be settled with `choices`. */
export const draftRebase = workspaceProcedure("draft.edit")
	.input(Input)
	.mutation(({ ctx, input }) => ctx.services.harness.drafts.rebase(draftKey(ctx, input), input.version, authorOf(ctx), input.choices));
