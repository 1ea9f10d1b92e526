import { z } from "zod";
import { CreatePersonSchema } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";

const Output = z.object({
	userId: z.string(),
	/** Shown once; null when the person had an account already. */
	initialPassword: z.string().nullable(),
});

export const personCreate = workspaceProcedure("people.manage")
	.input(CreatePersonSchema)
	.output(Output)
	.mutation(({ ctx, input }) => ctx.services.auth.createPerson(ctx.workspace.id, ctx.user, { name: input.name, email: input.email, roles: input.roles }));
