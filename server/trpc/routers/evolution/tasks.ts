import { z } from "zod";
import { TaskViewSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** The engines' work on an evolution, newest first. */
export const tasks = workspaceProcedure("workspace.read")
	.input(z.object({ evolutionId: Id }))
	.output(z.array(TaskViewSchema))
	.query(({ ctx, input }) => ctx.services.evolution.tasks({ workspaceId: ctx.workspace.id, evolutionId: input.evolutionId }));
