import { z } from "zod";
import { ReleasePreviewSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

/** What would be released: gate, exact diff against what is live, notes. */
export const preview = workspaceProcedure("workspace.read")
	.input(z.object({ roundId: z.string().min(1).max(80) }))
	.output(ReleasePreviewSchema)
	.query(({ ctx, input }) => ctx.services.release.preview({ workspaceId: ctx.workspace.id, roundId: input.roundId }));
