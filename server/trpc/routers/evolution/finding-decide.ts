import { z } from "zod";
import { FindingStatusSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

const Input = z.object({
	findingId: Id,
	decision: z.enum(["accept", "modify", "reject", "undo"]),
	note: z.string().trim().max(2000).optional(),
	title: z.string().trim().max(300).optional(),
	hypothesis: z.string().trim().max(4000).optional(),
});

/** Accepts, modifies or rejects a finding, or takes that back. */
export const findingDecide = workspaceProcedure("finding.decide")
	.input(Input)
	.output(z.object({ before: FindingStatusSchema, after: FindingStatusSchema }))
	.mutation(({ ctx, input: { workspace: _slug, ...input } }) =>
		ctx.services.evolution.decideFinding({ ...input, workspaceId: ctx.workspace.id, actor: ctx.user }),
	);
