import { z } from "zod";
import { CaseContentSchema, ResultRowSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";

const Case = z.object({
	id: z.string(),
	key: z.string(),
	category: z.string(),
	split: z.enum(["dev", "test"]),
	groupKey: z.string(),
	content: CaseContentSchema,
	createdAt: z.date(),
});

const Found = z.object({
	case: Case,
	history: z.array(Case),
	episodes: z.array(
		ResultRowSchema.extend({
			createdAt: z.date(),
			run: z.object({ id: z.string(), number: z.number().int(), commit: z.string().nullable(), treeId: z.string() }),
		}),
	),
});

/** An open case with its earlier texts and its last results. A holdout case looks like one that is not there. */
export const get = workspaceProcedure("workspace.read")
	.input(z.object({ caseId: z.string().min(1).max(80) }))
	.output(Found)
	.query(async ({ ctx, input }) => Found.parse(await ctx.services.evaluation.findCase(ctx.workspace.id, input.caseId)));
