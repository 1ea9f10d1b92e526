import { z } from "zod";
import { importSkills as readSkills, readZip } from "@/server/harness";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

const Input = z.object({
	...target,
	/** The zip, in base64 (at most 32 MiB of it). */
	archive: z.base64().max(45_000_000),
	mode: z.enum(["strict", "lenient"]).default("lenient"),
	/** False (the default) only says what would happen. */
	apply: z.boolean().default(false),
	version: z.number().int().min(0).default(0),
});

/** Skills of a zip: a dry run with its report, or into the draft. */
export const importSkills = workspaceProcedure("harness.import")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		const key = draftKey(ctx, input);
		const loaded = await readZip(Buffer.from(input.archive, "base64"));
		const { files } = await ctx.services.harness.draftFiles(key);
		const { changes, report } = readSkills(loaded, files, input.mode);
		const draft = input.apply && report.imported.length > 0 ? await ctx.services.harness.drafts.save(key, { version: input.version, patch: changes }) : null;
		return { report, files: Object.keys(changes), draft };
	});
