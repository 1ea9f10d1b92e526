import { z } from "zod";
import { ReleaseComparisonSchema, ReleaseTagSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

/** Two releases side by side. */
export const compare = workspaceProcedure("workspace.read")
	.input(z.object({ from: ReleaseTagSchema, to: ReleaseTagSchema }))
	.output(ReleaseComparisonSchema)
	.query(({ ctx, input: { from, to } }) => ctx.services.release.compare({ workspaceId: ctx.workspace.id, from, to }));
