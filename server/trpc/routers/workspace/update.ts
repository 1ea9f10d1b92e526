import { UpdateWorkspaceSchema, WorkspaceSchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

export const update = workspaceProcedure("settings.edit")
	.input(UpdateWorkspaceSchema)
	.output(WorkspaceSchema)
	.mutation(({ ctx, input: { title, settings, reason } }) => ctx.services.workspace.update(ctx.workspace.id, ctx.user, { title, settings, reason }));
