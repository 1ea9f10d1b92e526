import { z } from "zod";
import { CheckpointRowSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Policy versions that act with a checkpoint, newest first, with the newest comparable T1 and T2 of each. */
export const checkpoints = workspaceProcedure("workspace.read")
	.output(z.array(CheckpointRowSchema))
	.query(({ ctx }) => ctx.services.checkpoints.list(ctx.workspace.id));
