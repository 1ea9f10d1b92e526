import { z } from "zod";
import { formatJsonSchemas } from "@/server/harness";
import { workspaceProcedure } from "../../init";

/** What the editor completes and checks against: rooms, handlers, connections, and the JSON Schemas of the format. */
export const surroundings = workspaceProcedure("workspace.read")
	.input(z.object({}))
	.query(async ({ ctx }) => {
		const { harness } = ctx.services;
		const [context, rooms] = await Promise.all([harness.contextOf(ctx.workspace.id), harness.rooms(ctx.workspace.id)]);
		return { handlers: context.handlers ?? [], connections: context.connections ?? [], rooms, schemas: formatJsonSchemas() };
	});
