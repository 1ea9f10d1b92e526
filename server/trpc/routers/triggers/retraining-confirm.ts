import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { DecideInput } from "./inputs";

/** Starts the training that a trigger proposed. */
export const retrainingConfirm = workspaceProcedure("training.start")
	.input(DecideInput)
	.output(z.object({ trainingId: z.string() }))
	.mutation(({ ctx, input: { id, note } }) => ctx.services.triggers.confirmRetraining({ workspaceId: ctx.workspace.id, actor: ctx.user, id, note }));
