import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { TrainingViewSchema, viewTrainings } from "./training-view";

/** Trainings of the workspace, newest first. */
export const list = workspaceProcedure("workspace.read")
	.output(z.array(TrainingViewSchema))
	.query(async ({ ctx }) => viewTrainings(ctx.services, await ctx.services.training.list(ctx.workspace.id)));
