import { z } from "zod";
import { ReleaseTagSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";
import { ReleasedSchema, unlessEvaluating } from "./unless-evaluating";

const Input = z.object({
	roundId: z.string().min(1).max(80),
	/** Needed where the gate is inconclusive; kept on the release for ever. */
	reason: z.string().trim().max(2000).optional(),
	/** The release (or `base`) that the round was compared with when the person decided; another one now is a conflict. */
	against: z.union([ReleaseTagSchema, z.literal("base")]).optional(),
});

/** Releases a closed round, once the gate's runs are done; starts those that are missing. */
export const create = workspaceProcedure("release.create")
	.input(Input)
	.output(ReleasedSchema)
	.mutation(({ ctx, input: { roundId, reason, against } }) =>
		unlessEvaluating(ctx.services.release.create({ workspaceId: ctx.workspace.id, roundId, against, actor: ctx.user, ...(reason ? { reason } : {}) })),
	);
