import { z } from "zod";
import { EnvelopeSchema } from "@/server/augmentation/contract";
import { workspaceProcedure } from "../../init";

/** The envelope in force (version 0 is the default), with who changed it last and why. */
export const envelope = workspaceProcedure("workspace.read")
	.output(
		z.object({ version: z.number().int(), content: EnvelopeSchema, reason: z.string(), createdBy: z.string().nullable(), createdAt: z.date().nullable() }),
	)
	.query(async ({ ctx }) => {
		const { createdById, ...current } = await ctx.services.envelopes.current(ctx.workspace.id);
		const names = createdById ? await ctx.services.auth.namesOf([createdById]) : null;
		return { ...current, createdBy: createdById ? (names?.get(createdById) ?? createdById) : null };
	});
