import { z } from "zod";
import { CreateTokenSchema } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";

export const tokenCreate = workspaceProcedure("token.manage")
	.input(CreateTokenSchema)
	/** `token` is shown once. */
	.output(z.object({ id: z.string(), token: z.string() }))
	.mutation(({ ctx, input }) =>
		ctx.services.auth.createToken(ctx.workspace.id, ctx.user, { name: input.name, scopes: input.scopes, expiresInDays: input.expiresInDays }),
	);
