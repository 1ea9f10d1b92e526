import { z } from "zod";
import { AblationSettingsSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Queues an ablation. */
export const ablationStart = workspaceProcedure("training.start")
	.input(z.object({ settings: AblationSettingsSchema }))
	.output(z.object({ id: z.string(), number: z.number().int() }))
	.mutation(({ ctx, input }) => ctx.services.training.ablations.start(ctx.workspace.id, input.settings, ctx.user.id));
