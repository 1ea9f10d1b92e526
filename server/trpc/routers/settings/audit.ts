import { z } from "zod";
import { AuditEntrySchema, AuditFilterSchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	filter: AuditFilterSchema.default({}),
	page: z.number().int().min(1).max(100_000).default(1),
	pageSize: z.number().int().min(1).max(200).default(50),
});

/** One page of the audit log, newest first. */
export const audit = workspaceProcedure("audit.read")
	.input(Input)
	.output(z.object({ entries: z.array(AuditEntrySchema), total: z.number().int() }))
	.query(({ ctx, input }) => ctx.services.workspace.queryAudit(ctx.workspace.id, input.filter, { page: input.page, pageSize: input.pageSize }));
