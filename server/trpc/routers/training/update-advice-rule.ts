import { z } from "zod";
import { AdviceRuleSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Puts a new version of the advice's thresholds in force, with the reason. */
export const updateAdviceRule = workspaceProcedure("advice.edit")
	.input(
		z.object({
			content: AdviceRuleSchema,
			reason: z.string().trim().min(3, "Say why in a few words.").max(2000),
			expectedVersion: z.number().int().min(0),
		}),
	)
	.output(z.object({ version: z.number().int() }))
	.mutation(({ ctx, input: { content, reason, expectedVersion } }) =>
		ctx.services.advice.updateRule({ workspaceId: ctx.workspace.id, actor: ctx.user, content, reason, expectedVersion }),
	);
