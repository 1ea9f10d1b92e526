import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { SeenInput } from "./inputs";

/** Turns a trigger on or off. */
export const switchOne = workspaceProcedure("rule.manage")
	.input(SeenInput.extend({ enabled: z.boolean() }))
	.mutation(({ ctx, input: { id, version, enabled, reason } }) =>
		ctx.services.triggers.switch({ workspaceId: ctx.workspace.id, actor: ctx.user, id, version, enabled, reason }),
	);
