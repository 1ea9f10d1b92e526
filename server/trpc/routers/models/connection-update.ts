import { z } from "zod";
import { ConnectionSchema, UpdateConnectionSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

export const connectionUpdate = workspaceProcedure("connection.manage")
	.input(UpdateConnectionSchema)
	/** `headersCleared`: the host changed, so the headers must be entered again. */
	.output(z.object({ connection: ConnectionSchema, headersCleared: z.boolean() }))
	.mutation(({ ctx, input: { workspace: _, ...connection } }) => ctx.services.models.updateConnection(ctx.workspace.id, ctx.user, connection));
