import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** A checkpoint holds 5 MB at most; base64 makes four characters of three bytes. */
const MOST_CHARACTERS = 7_000_000;

/** Takes a checkpoint that was made elsewhere; it becomes a policy version. */
export const checkpointImport = workspaceProcedure("training.start")
	.input(z.object({ name: z.string().trim().min(1).max(200), base64: z.base64().max(MOST_CHARACTERS) }))
	.output(z.object({ id: z.string(), name: z.string() }))
	.mutation(async ({ ctx, input }) => {
		const bytes = Buffer.from(input.base64, "base64");
		const { version } = await ctx.services.training.importCheckpoint({ workspaceId: ctx.workspace.id, name: input.name, bytes }, ctx.user);
		return { id: version.id, name: version.name };
	});
