import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** An admin's written leave to release a round against a failing gate; a reviewer still makes the release. */
export const giveLeave = workspaceProcedure("gate.override-fail")
	.input(z.object({ roundId: z.string().min(1).max(80), reason: z.string().trim().min(3).max(2000) }))
	.mutation(({ ctx, input: { roundId, reason } }) => ctx.services.release.giveLeave({ workspaceId: ctx.workspace.id, roundId, reason, actor: ctx.user }));
