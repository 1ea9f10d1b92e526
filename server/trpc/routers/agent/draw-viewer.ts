import { z } from "zod";
import { TurnSchema } from "@/server/agent/contract";
import { drawViewer as draw } from "@/server/simulator";
import { workspaceProcedure } from "../../init";

const Output = z.object({ message: z.string(), history: z.array(TurnSchema), room: z.string().nullable() }).nullable();

/** What a simulated viewer of the workspace says; null where the workspace has none. The same seed gives the same. */
export const drawViewer = workspaceProcedure("harness.try")
	.input(z.object({ seed: z.number().int().min(0).max(2_147_483_647) }))
	.output(Output)
	.query(async ({ ctx, input: { seed } }) => {
		const { bundleId } = await ctx.services.workspace.getById(ctx.workspace.id);
		const { viewers } = await ctx.services.simulator.loadBundle(bundleId);
		if (!viewers) return null;
		const { message, history, room } = draw(viewers, seed);
		return { message, history, room: room?.base ?? null };
	});
