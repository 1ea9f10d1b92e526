import { workspaceProcedure } from "../../init";
import { SeenInput } from "./inputs";

/** Takes a trigger away; its log stays. */
export const remove = workspaceProcedure("rule.manage")
	.input(SeenInput)
	.mutation(({ ctx, input: { id, version, reason } }) => ctx.services.triggers.delete({ workspaceId: ctx.workspace.id, actor: ctx.user, id, version, reason }));
