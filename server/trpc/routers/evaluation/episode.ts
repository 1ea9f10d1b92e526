import { z } from "zod";
import { TrajectorySchema } from "@/server/agent/contract";
import { ResultRowSchema } from "@/server/evaluation/contract";
import { VerdictSchema } from "@/server/judge/contract";
import { workspaceProcedure } from "../../init";

/** One result with its trajectory and verdict. Throws `forbidden` for one of a sealed run. */
export const episode = workspaceProcedure("workspace.read")
	.input(z.object({ episodeId: z.string().min(1).max(160) }))
	.output(z.object({ row: ResultRowSchema, runId: z.string(), trajectory: TrajectorySchema.nullable(), verdict: VerdictSchema.nullable() }))
	.query(({ ctx, input }) => ctx.services.evaluation.episode(ctx.workspace.id, input.episodeId));
