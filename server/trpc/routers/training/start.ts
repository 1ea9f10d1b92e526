import { z } from "zod";
import { RecipeSchema, TrainingOptionsSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Queues a retraining of the compact policy. */
export const start = workspaceProcedure("training.start")
	.input(
		z.object({
			recipe: RecipeSchema,
			seed: z.number().int().min(0).max(2_147_483),
			/** Version of the envelope; the one in force unless given. */
			envelope: z.number().int().min(0).optional(),
			/** Ref or commit. */
			harness: z.string().trim().min(1).max(200).default("main"),
			options: TrainingOptionsSchema.default({}),
		}),
	)
	.output(z.object({ id: z.string(), number: z.number().int() }))
	.mutation(async ({ ctx, input }) => {
		const { workspace: _workspace, ...wanted } = input as typeof input & { workspace?: string };
		const id = await ctx.services.training.start({ ...wanted, workspaceId: ctx.workspace.id, requestedById: ctx.user.id });
		return { id, number: (await ctx.services.training.get(id)).number };
	});
