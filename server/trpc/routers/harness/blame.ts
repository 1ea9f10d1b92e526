import { z } from "zod";
import { blame as readBlame } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** Who wrote each line of a file. */
export const blame = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), revision: Revision.default("main"), path: z.string().min(1).max(240) }))
	.query(async ({ ctx, input }) => readBlame(await ctx.services.harness.repository(ctx.workspace.id, input.kind), input.revision, input.path));
