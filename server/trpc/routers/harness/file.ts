import { z } from "zod";
import { HarnessKindSchema } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** One file at a branch, tag or commit. */
export const file = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), revision: Revision, path: z.string().min(1).max(240) }))
	.query(async ({ ctx, input }) => {
		const files = await ctx.services.harness.readFiles(ctx.workspace.id, input.revision, input.kind);
		const text = Object.hasOwn(files, input.path) ? files[input.path] : undefined;
		if (text === undefined)
			throw new AppError("not-found", `“${input.path}” is not in this version.`, { reason: "file-missing", params: { path: input.path } });
		return { path: input.path, text };
	});
