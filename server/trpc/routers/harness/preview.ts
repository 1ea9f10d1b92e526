import { z } from "zod";
import { previewHarness } from "@/server/harness";
import type { Room } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

const NO_ROOM: Room = { title: "", now: "2026-01-01T00:00:00Z", viewer: {}, notes: {} };

/** The assembled prompt of the person's draft in a room, beside the branch's. Null while the draft is not valid. */
export const preview = workspaceProcedure("workspace.read")
	.input(
		z.object({
			...target,
			room: z.string().max(120).optional(),
			/** The state of the draft that is asked about: keeps a browser's cache from answering for another one. */
			treeId: z.string().max(40).optional(),
		}),
	)
	.query(async ({ ctx, input }) => {
		const { harness } = ctx.services;
		const key = draftKey(ctx, input);
		const rooms = await harness.rooms(ctx.workspace.id);
		const name = input.room ?? Object.keys(rooms)[0] ?? "";
		const room = name === "" ? NO_ROOM : Object.hasOwn(rooms, name) ? rooms[name] : undefined;
		if (!room) throw new AppError("not-found", `There is no room “${name}”.`, { reason: "room-unknown", params: { room: name } });
		const { files } = await harness.draftFiles(key);
		const after = await harness.check(ctx.workspace.id, files, input.kind);
		if (!after.harness) return null;
		const before = await harness.check(ctx.workspace.id, await harness.readFiles(ctx.workspace.id, input.branch, input.kind), input.kind);
		return previewHarness(after.harness, before.harness, { name, room });
	});
