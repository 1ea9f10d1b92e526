import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Changes, Id, Manifest } from "./inputs";

const Input = z.object({
	evolutionId: Id,
	title: z.string().trim().min(1).max(200),
	changes: Changes,
	/** The commit that the changes were made on. */
	baseCommit: z
		.string()
		.regex(/^[0-9a-f]{40}$/)
		.optional(),
	manifest: Manifest.default({}),
	findingIds: z.array(Id).max(50).default([]),
});

/** Turns a person's edits into a draft proposal. */
export const proposalCreate = workspaceProcedure("proposal.edit")
	.input(Input)
	.output(z.object({ id: z.string(), number: z.number().int() }))
	.mutation(({ ctx, input: { evolutionId, title, changes, baseCommit, manifest, findingIds } }) =>
		ctx.services.evolution.createProposal({
			workspaceId: ctx.workspace.id,
			actor: ctx.user,
			evolutionId,
			title,
			changes,
			manifest,
			findingIds,
			...(baseCommit ? { baseCommit } : {}),
		}),
	);
