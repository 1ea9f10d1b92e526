import { z } from "zod";
import { PersonaSchema, RoleSchema } from "@/server/auth/contract";
import { publicProcedure } from "../../init";

const Output = z.object({
	demo: z.array(z.object({ persona: PersonaSchema, name: z.string(), roles: z.array(RoleSchema) })),
});

/** What the sign-in page offers: the demo people, where they exist. */
export const signInOptions = publicProcedure.output(Output).query(({ ctx }) => ({ demo: ctx.services.auth.demoPersonas() }));
