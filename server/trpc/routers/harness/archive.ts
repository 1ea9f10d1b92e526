import { z } from "zod";
import { writeArchive } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** All files of a version as an archive, in base64, with its digest. */
export const archive = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), revision: Revision.default("main"), format: z.enum(["zip", "tar.gz"]).default("zip") }))
	.query(async ({ ctx, input }) => {
		const repository = await ctx.services.harness.repository(ctx.workspace.id, input.kind);
		const commit = await repository.requireCommit(input.revision);
		const made = writeArchive(await repository.readFiles(commit), input.format);
		return { commit, archive: made.bytes.toString("base64"), digest: made.digest, mediaType: made.mediaType };
	});
