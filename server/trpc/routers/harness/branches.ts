import { z } from "zod";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";

export const branches = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent") }))
	.query(async ({ ctx, input }) => (await ctx.services.harness.repository(ctx.workspace.id, input.kind)).branches());
