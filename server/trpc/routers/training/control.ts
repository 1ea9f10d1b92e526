import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { TrainingId } from "./inputs";

/** Stops a training, or goes on with one that was stopped or failed. */
export const control = workspaceProcedure("training.control")
	.input(TrainingId.extend({ command: z.enum(["cancel", "resume"]) }))
	.output(z.object({}))
	.mutation(async ({ ctx, input }) => {
		const { training } = ctx.services;
		const found = await training.getIn(ctx.workspace.id, input.trainingId);
		await training[input.command](found, ctx.user.id);
		return {};
	});
