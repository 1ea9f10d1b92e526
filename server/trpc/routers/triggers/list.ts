import { z } from "zod";
import { TriggerSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

/** What happens by itself here; anyone may see it. */
export const list = workspaceProcedure("workspace.read")
	.output(z.array(TriggerSchema))
	.query(({ ctx }) => ctx.services.triggers.list(ctx.workspace.id));
