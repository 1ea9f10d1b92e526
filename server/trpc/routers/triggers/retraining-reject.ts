import { workspaceProcedure } from "../../init";
import { DecideInput } from "./inputs";

/** Says no to a retraining that a trigger proposed. */
export const retrainingReject = workspaceProcedure("training.start")
	.input(DecideInput)
	.mutation(({ ctx, input: { id, note } }) => ctx.services.triggers.rejectRetraining({ workspaceId: ctx.workspace.id, actor: ctx.user, id, note }));
