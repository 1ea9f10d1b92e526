import { z } from "zod";
import { exportSkills as writeSkills } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** The skills of a version as a zip of Agent Skills, in base64. */
export const exportSkills = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), revision: Revision.default("main") }))
	.query(async ({ ctx, input }) => {
		const archive = writeSkills(await ctx.services.harness.readFiles(ctx.workspace.id, input.revision, input.kind));
		return { archive: archive.bytes.toString("base64"), digest: archive.digest, mediaType: archive.mediaType };
	});
