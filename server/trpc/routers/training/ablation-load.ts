import { z } from "zod";
import { readAblationFile } from "@/server/training";
import { workspaceProcedure } from "../../init";

/** Keeps what `hat-ablation --json` wrote. */
export const ablationLoad = workspaceProcedure("training.start")
	.input(z.object({ text: z.string().max(1_000_000) }))
	.output(z.object({ id: z.string(), number: z.number().int() }))
	.mutation(({ ctx, input }) => ctx.services.training.ablations.store(ctx.workspace, readAblationFile(input.text), "file", ctx.user.id));
