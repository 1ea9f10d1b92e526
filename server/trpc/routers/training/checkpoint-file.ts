import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** The file of a policy version that acts with a checkpoint, in base64. */
export const checkpointFile = workspaceProcedure("workspace.read")
	.input(z.object({ policy: z.string().min(1).max(200) }))
	.output(z.object({ name: z.string(), base64: z.base64() }))
	.query(async ({ ctx, input }) => {
		const { name, bytes } = await ctx.services.exportCheckpoint(ctx.workspace.id, input.policy);
		return { name, base64: Buffer.from(bytes).toString("base64") };
	});
