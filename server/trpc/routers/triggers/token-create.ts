import { z } from "zod";
import { AppError } from "@/server/kernel/errors";
import { callScope } from "@/server/triggers";
import { workspaceProcedure } from "../../init";

/** A token that may call one trigger, and nothing else. It is told once; Settings → API tokens lists and revokes it. */
export const tokenCreate = workspaceProcedure("token.manage")
	.input(z.object({ id: z.string().min(1).max(60), name: z.string().trim().min(1).max(120), expiresInDays: z.number().int().min(1).max(366).default(90) }))
	.output(z.object({ id: z.string(), token: z.string() }))
	.mutation(async ({ ctx, input: { id, name, expiresInDays } }) => {
		const known = (await ctx.services.triggers.list(ctx.workspace.id)).some((trigger) => trigger.id === id);
		if (!known) throw new AppError("not-found", "There is no such trigger in this workspace.", { reason: "trigger-unknown" });
		return ctx.services.auth.createToken(ctx.workspace.id, ctx.user, { name, scopes: [callScope(id)], expiresInDays });
	});
