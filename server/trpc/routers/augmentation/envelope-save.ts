import { z } from "zod";
import { EnvelopeSchema } from "@/server/augmentation/contract";
import { workspaceProcedure } from "../../init";

/** Puts a new version of the envelope in force, with the reason; impossible ranges are refused. */
export const envelopeSave = workspaceProcedure("envelope.edit")
	.input(z.object({ envelope: EnvelopeSchema, reason: z.string().trim().min(1).max(2000), seenVersion: z.number().int().min(0) }))
	.output(z.object({ version: z.number().int() }))
	.mutation(async ({ ctx, input }) => ({ version: (await ctx.services.envelopes.save(ctx.workspace.id, input, ctx.user)).version }));
