import { z } from "zod";
import { workspaceProcedure } from "../../init";

const Output = z.object({
	rooms: z.array(z.object({ id: z.string(), title: z.string(), now: z.string() })),
	/** Handler ids: what a fault can be injected into. */
	handlers: z.array(z.string()),
	/** Whether the workspace has simulated viewers to draw from. */
	viewers: z.boolean(),
});

/** The rooms that an episode can happen in, and the tool handlers of the world. */
export const rooms = workspaceProcedure("workspace.read")
	.output(Output)
	.query(async ({ ctx }) => {
		const { bundleId } = await ctx.services.workspace.getById(ctx.workspace.id);
		const bundle = await ctx.services.simulator.loadBundle(bundleId);
		return {
			rooms: Object.keys(bundle.rooms).map((id) => {
				const room = ctx.services.simulator.resolveRoom(bundle, { base: id, set: {} });
				return { id, title: room.title, now: room.now };
			}),
			handlers: Object.keys(bundle.handlers).sort((a, b) => (a < b ? -1 : 1)),
			viewers: bundle.viewers !== null,
		};
	});
