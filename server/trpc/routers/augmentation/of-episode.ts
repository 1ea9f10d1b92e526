import { z } from "zod";
import { previewVariant } from "@/server/augmentation";
import { VariantPreviewSchema } from "@/server/augmentation/contract";
import { workspaceProcedure } from "../../init";

/** The variant that an episode acted under, beside its original; null where the run was on the harness itself. */
export const ofEpisode = workspaceProcedure("workspace.read")
	.input(z.object({ episodeId: z.string().min(1).max(160) }))
	.output(VariantPreviewSchema.shape.variant)
	.query(async ({ ctx, input }) => {
		const { evaluation, harness, rewriter } = ctx.services;
		const { row, runId } = await evaluation.episode(ctx.workspace.id, input.episodeId);
		const { variants, treeId } = await evaluation.get(ctx.workspace.id, runId);
		if (!variants) return null;
		const original = { files: await harness.loadSnapshot(treeId), treeId };
		// The run has asked for them: what it used is kept.
		const rewritings = await rewriter.rewritingsFor(ctx.workspace.id, original, variants.rewriter, new AbortController().signal);
		return previewVariant(original, variants.envelope, variants.seed + row.trial, variants.book, rewritings).variant;
	});
