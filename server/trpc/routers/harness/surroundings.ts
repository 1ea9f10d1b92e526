import { formatJsonSchemas } from "@/server/harness";
import { workspaceProcedure } from "../../init";

/** What does not change while one edits: the rooms to preview in, and the JSON Schemas of the format. */
export const surroundings = workspaceProcedure("workspace.read").query(async ({ ctx }) => {
	const rooms = await ctx.services.harness.rooms(ctx.workspace.id);
	return { rooms: Object.entries(rooms).map(([id, room]) => ({ id, title: room.title })), schemas: formatJsonSchemas() };
});
