import { ConnectionSchema, CreateConnectionSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

export const connectionCreate = workspaceProcedure("connection.manage")
	.input(CreateConnectionSchema)
	.output(ConnectionSchema)
	.mutation(({ ctx, input: { workspace: _, ...connection } }) => ctx.services.models.createConnection(ctx.workspace.id, ctx.user, connection));
