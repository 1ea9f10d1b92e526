import { z } from "zod";
import { ReleaseTagSchema, RollbackPreviewSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

/** The exact diff that going back would apply, and what it costs. */
export const rollbackPreview = workspaceProcedure("workspace.read")
	.input(z.object({ target: z.union([ReleaseTagSchema, z.literal("base")]) }))
	.output(RollbackPreviewSchema)
	.query(({ ctx, input }) => ctx.services.release.previewRollback({ workspaceId: ctx.workspace.id, target: input.target }));
