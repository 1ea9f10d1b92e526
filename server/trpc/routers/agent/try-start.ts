import { z } from "zod";
import { TryInputSchema, TrySourceSchema } from "@/server/agent/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({ source: TrySourceSchema, input: TryInputSchema, policy: z.string().max(200).optional() });

/** Queues a try of a draft or a revision on one message; follow it with `agent.tryFollow`. */
export const tryStart = workspaceProcedure("harness.try")
	.input(Input)
	.output(z.object({ id: z.string() }))
	.mutation(async ({ ctx, input: { source, input, policy } }) => ({
		id: await ctx.services.tries.start({ workspaceId: ctx.workspace.id, userId: ctx.user.id }, { source, input, policy }),
	}));
