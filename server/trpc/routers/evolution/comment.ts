import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

const Input = z.object({
	proposalId: Id,
	body: z.string().trim().min(1).max(10_000),
	revisionId: Id.optional(),
	parentId: Id.optional(),
	path: z.string().min(1).max(240).optional(),
	line: z.number().int().min(1).max(1_000_000).optional(),
	side: z.enum(["old", "new"]).optional(),
});

/** A comment on a line, a file, the proposal, or in a thread. */
export const comment = workspaceProcedure("comment")
	.input(Input)
	.output(z.object({ id: z.string() }))
	.mutation(({ ctx, input: { workspace: _slug, ...input } }) => ctx.services.evolution.comment({ ...input, workspaceId: ctx.workspace.id, actor: ctx.user }));
