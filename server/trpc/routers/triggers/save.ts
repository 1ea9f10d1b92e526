import { z } from "zod";
import { SaveTriggerSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

/** Makes a trigger, or writes its next version. */
export const save = workspaceProcedure("rule.manage")
	.input(SaveTriggerSchema)
	.output(z.object({ id: z.string(), version: z.number().int() }))
	.mutation(({ ctx, input }) => {
		const { workspace: _workspace, ...wanted } = input as typeof input & { workspace?: string };
		return ctx.services.triggers.save({ workspaceId: ctx.workspace.id, actor: ctx.user, input: wanted });
	});
