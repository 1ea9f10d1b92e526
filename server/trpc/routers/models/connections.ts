import { z } from "zod";
import { ConnectionSchema } from "@/server/models/contract";
import { workspaceProcedure } from "../../init";

/** The registered http and mcp servers, without their headers. */
export const connections = workspaceProcedure("connection.manage")
	.output(z.array(ConnectionSchema))
	.query(({ ctx }) => ctx.services.models.listConnections(ctx.workspace.id));
