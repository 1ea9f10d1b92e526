import { z } from "zod";
import { importTools as readTools } from "@/server/harness";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

const Input = z.object({
	...target,
	/** What an MCP server answers to tools/list. */
	json: z.string().min(1).max(4_000_000),
	binding: z.discriminatedUnion("kind", [
		z.object({ kind: z.literal("mcp"), connection: z.string().min(1).max(80) }),
		z.object({ kind: z.literal("simulator") }),
	]),
	mode: z.enum(["strict", "lenient"]).default("lenient"),
	apply: z.boolean().default(false),
	version: z.number().int().min(0).default(0),
});

/** Tools of an MCP `tools/list` result: a dry run with its report, or into the draft. */
export const importTools = workspaceProcedure("harness.import")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		const key = draftKey(ctx, input);
		const { files } = await ctx.services.harness.draftFiles(key);
		const { changes, report } = readTools(input.json, files, input.binding, input.mode);
		const draft = input.apply && report.imported.length > 0 ? await ctx.services.harness.drafts.save(key, { version: input.version, patch: changes }) : null;
		return { report, files: Object.keys(changes), draft };
	});
