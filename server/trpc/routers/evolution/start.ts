import { z } from "zod";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	title: z.string().trim().min(1).max(120),
	suiteKey: z.string().min(1).max(60).optional(),
	trials: z.number().int().min(1).max(10).default(1),
	seed: z.number().int().min(0).max(2_147_483_647).default(1),
});

/** Starts a campaign on the released harness; its baseline is evaluated by itself. */
export const start = workspaceProcedure("evolution.start")
	.input(Input)
	.output(z.object({ id: z.string(), slug: z.string() }))
	.mutation(({ ctx, input: { title, suiteKey, trials, seed } }) =>
		ctx.services.evolution.start({ workspaceId: ctx.workspace.id, actor: ctx.user, title, trials, seed, ...(suiteKey ? { suiteKey } : {}) }),
	);
