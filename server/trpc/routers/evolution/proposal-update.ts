import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Changes, Id } from "./inputs";

const Outcome = z.discriminatedUnion("outcome", [
	z.object({ outcome: z.literal("current") }),
	z.object({ outcome: z.literal("updated"), index: z.number().int() }),
	z.object({ outcome: z.literal("conflict"), paths: z.array(z.string()) }),
]);

/** Merges the branch into a proposal whose base moved; with `resolutions`, takes those for what conflicts. */
export const proposalUpdate = workspaceProcedure("proposal.edit")
	.input(z.object({ proposalId: Id, resolutions: Changes.optional() }))
	.output(Outcome)
	.mutation(({ ctx, input: { proposalId, resolutions } }) =>
		ctx.services.evolution.updateFromBranch({ workspaceId: ctx.workspace.id, proposalId, actor: ctx.user, ...(resolutions ? { resolutions } : {}) }),
	);
