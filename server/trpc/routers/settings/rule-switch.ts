import { z } from "zod";
import { RuleKeySchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	key: RuleKeySchema,
	enabled: z.boolean(),
	/** The version that the person saw. */
	version: z.number().int().min(1),
	reason: z.string().trim().max(500).optional(),
});

export const ruleSwitch = workspaceProcedure("rule.manage")
	.input(Input)
	.mutation(({ ctx, input: { key, enabled, version, reason } }) =>
		ctx.services.workspace.switchRule(ctx.workspace.id, ctx.user, key, { enabled, version, reason }),
	);
