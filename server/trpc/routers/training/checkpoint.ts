import { z } from "zod";
import { CheckpointOriginSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";
import { PolicyVersionId } from "./inputs";

/** A policy version that acts with a checkpoint, and what its file says of where it comes from. */
export const checkpoint = workspaceProcedure("workspace.read")
	.input(PolicyVersionId)
	.output(z.object({ id: z.string(), name: z.string(), createdAt: z.date(), origin: CheckpointOriginSchema }))
	.query(async ({ ctx, input }) => {
		const { version, bytes } = await ctx.services.exportCheckpoint(ctx.workspace.id, input.policyVersionId);
		const { id, name, createdAt } = version;
		return { id, name, createdAt, origin: ctx.services.training.readOrigin(bytes) };
	});
