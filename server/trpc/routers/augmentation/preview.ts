import { z } from "zod";
import { previewVariant } from "@/server/augmentation";
import { BookNameSchema, EnvelopeSchema, VariantPreviewSchema } from "@/server/augmentation/contract";
import { workspaceProcedure } from "../../init";

/** A variant of the harness beside the original, under an envelope that need not be saved. Nothing of the harness is run. */
export const preview = workspaceProcedure("workspace.read")
	.input(
		z.object({
			envelope: EnvelopeSchema,
			seed: z.number().int().min(0).max(2_147_483_647),
			words: BookNameSchema,
			ref: z.string().min(1).max(200).default("main"),
		}),
	)
	.output(VariantPreviewSchema)
	.query(async ({ ctx, input }) => {
		const [original, { content }] = await Promise.all([
			ctx.services.harness.resolveHarness(ctx.workspace.id, input.ref),
			ctx.services.envelopes.current(ctx.workspace.id),
		]);
		// The workspace's own words are too long for an address: those in force are taken.
		return previewVariant(original, { ...input.envelope, words: content.words }, input.seed, input.words);
	});
