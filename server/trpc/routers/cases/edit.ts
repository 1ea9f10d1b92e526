import { z } from "zod";
import { CaseContentSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";

/** Another text under an open case's key, as a new version of the suite. */
export const edit = workspaceProcedure("case.edit")
	.input(
		z.object({
			suite: z.string().min(1).max(80),
			caseId: z.string().min(1).max(80),
			category: z.string().min(1).max(80).optional(),
			content: CaseContentSchema,
		}),
	)
	.output(z.object({ version: z.number().int() }))
	.mutation(({ ctx, input }) =>
		ctx.services.evaluation.editCase(
			{ workspaceId: ctx.workspace.id, suiteKey: input.suite },
			input.caseId,
			{ category: input.category, content: input.content },
			{ id: ctx.user.id, name: ctx.user.name },
		),
	);
