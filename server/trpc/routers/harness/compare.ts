import { z } from "zod";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Revision } from "./inputs";

/** Files that differ between two branches, tags or commits. */
export const compare = workspaceProcedure("workspace.read")
	.input(z.object({ kind: HarnessKindSchema.default("agent"), from: Revision, to: Revision }))
	.query(async ({ ctx, input }) => {
		const repository = await ctx.services.harness.repository(ctx.workspace.id, input.kind);
		const [from, to] = await Promise.all([repository.requireCommit(input.from), repository.requireCommit(input.to)]);
		return { from, to, files: await ctx.services.harness.diff(ctx.workspace.id, from, to, input.kind) };
	});
