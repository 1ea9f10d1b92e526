import { z } from "zod";
import { TrainingViewSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";
import { viewTrainings } from "./training-view";

/** Trainings of the workspace, newest first. */
export const list = workspaceProcedure("workspace.read")
	.output(z.array(TrainingViewSchema))
	.query(async ({ ctx }) => viewTrainings(ctx.services, await ctx.services.training.list(ctx.workspace.id)));
