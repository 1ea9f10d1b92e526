import { tracked } from "@trpc/server";
import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** A try of one's own, live: as it is now and again after each step, until it is over. */
export const tryFollow = workspaceProcedure("harness.try")
	.input(z.object({ id: z.string(), lastEventId: z.string().nullish() }))
	.subscription(async function* ({ ctx, input, signal }) {
		const person = { workspaceId: ctx.workspace.id, userId: ctx.user.id };
		for await (const now of ctx.services.tries.follow(person, input.id, signal ?? new AbortController().signal)) {
			yield tracked(`${now.status}-${now.steps.length}`, now);
		}
	});
