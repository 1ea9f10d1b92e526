import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { PolicyVersionId } from "./inputs";

/** The file of a policy version that acts with a checkpoint, in base64. */
export const checkpointFile = workspaceProcedure("workspace.read")
	.input(PolicyVersionId)
	.output(z.object({ name: z.string(), base64: z.base64() }))
	.query(async ({ ctx, input }) => {
		const { version, bytes } = await ctx.services.exportCheckpoint(ctx.workspace.id, input.policyVersionId);
		return { name: version.name, base64: Buffer.from(bytes).toString("base64") };
	});
