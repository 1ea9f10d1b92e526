import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Changes, Id, Manifest } from "./inputs";

const Input = z.object({
	proposalId: Id,
	/** The revision that the person saw. */
	expectedIndex: z.number().int().min(1),
	changes: Changes,
	title: z.string().trim().min(1).max(200).optional(),
	manifest: Manifest.optional(),
});

/** Saves an edit of a proposal as its next revision; who edits becomes an author. */
export const proposalSave = workspaceProcedure("proposal.edit")
	.input(Input)
	.output(z.object({ index: z.number().int() }))
	.mutation(({ ctx, input: { proposalId, expectedIndex, changes, title, manifest } }) =>
		ctx.services.evolution.saveRevision({
			workspaceId: ctx.workspace.id,
			actor: ctx.user,
			proposalId,
			expectedIndex,
			changes,
			...(title ? { title } : {}),
			...(manifest ? { manifest } : {}),
		}),
	);
