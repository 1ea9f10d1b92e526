import { z } from "zod";
import { TriggerVersionSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

/** All that a trigger was, newest first. */
export const versions = workspaceProcedure("workspace.read")
	.input(z.object({ id: z.string().min(1).max(60) }))
	.output(z.array(TriggerVersionSchema))
	.query(({ ctx, input }) => ctx.services.triggers.versions(ctx.workspace.id, input.id));
