import { z } from "zod";
import { RoleSchema } from "@/server/auth/contract";
import { LocalizedTextSchema } from "@/server/workspace/contract";
import { publicProcedure } from "../../init";

const Output = z
	.object({
		user: z.object({ id: z.string(), name: z.string(), email: z.string(), demo: z.boolean() }),
		workspaces: z.array(z.object({ id: z.string(), slug: z.string(), title: LocalizedTextSchema, roles: z.array(RoleSchema) })),
	})
	.nullable();

/** Who is signed in, and where they belong; null for nobody. */
export const me = publicProcedure.output(Output).query(async ({ ctx }) => {
	if (!ctx.user) return null;
	return { user: ctx.user, workspaces: await ctx.services.auth.listMemberships(ctx.user.id) };
});
