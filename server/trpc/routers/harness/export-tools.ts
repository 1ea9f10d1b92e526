import { z } from "zod";
import { exportTools as writeTools } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** The tools of a version as an MCP `tools/list` result. */
export const exportTools = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), revision: Revision.default("main") }))
	.query(async ({ ctx, input }) => writeTools(await ctx.services.harness.readFiles(ctx.workspace.id, input.revision, input.kind)));
