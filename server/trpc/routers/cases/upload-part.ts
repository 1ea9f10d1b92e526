import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** One part of a file to be imported, at its offset; parts may be sent again. */
export const uploadPart = workspaceProcedure("case.import")
	.input(z.object({ uploadId: z.string().max(40), offset: z.number().int().min(0), base64: z.base64().max(1_500_000) }))
	.output(z.object({ bytes: z.number().int() }))
	.mutation(async ({ ctx, input }) => ({
		bytes: await ctx.services.uploads.append(
			{ workspaceId: ctx.workspace.id, userId: ctx.user.id },
			input.uploadId,
			input.offset,
			Buffer.from(input.base64, "base64"),
		),
	}));
