import { z } from "zod";
import { ReleaseTagSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	roundId: z.string().min(1).max(80),
	/** Needed where the gate is inconclusive; kept on the release for ever. */
	reason: z.string().trim().max(2000).optional(),
	/** The release (or `base`) that the round was compared with when the person decided; another one now is a conflict. */
	against: z.union([ReleaseTagSchema, z.literal("base")]).optional(),
});

/** Releases a closed round. `release-evaluating` (412) says that the gate's runs are under way: try again when they are done. */
export const create = workspaceProcedure("release.create")
	.input(Input)
	.output(z.object({ tag: z.string() }))
	.mutation(({ ctx, input: { roundId, reason, against } }) =>
		ctx.services.release.create({ workspaceId: ctx.workspace.id, roundId, against, actor: ctx.user, ...(reason ? { reason } : {}) }),
	);
