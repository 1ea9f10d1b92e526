import { z } from "zod";
import { FiringFilterSchema, FiringSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	filter: FiringFilterSchema.default({}),
	page: z.number().int().min(1).max(100_000).default(1),
	pageSize: z.number().int().min(1).max(200).default(50),
});

/** One page of the log, newest first. */
export const firings = workspaceProcedure("workspace.read")
	.input(Input)
	.output(z.object({ rows: z.array(FiringSchema), total: z.number().int() }))
	.query(({ ctx, input: { filter, page, pageSize } }) => ctx.services.triggers.firings(ctx.workspace.id, filter, { page, pageSize }));
