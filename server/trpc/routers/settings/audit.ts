import { z } from "zod";
import { AuditEntrySchema, AuditFilterSchema } from "@/server/workspace/contract";
import { auditReader } from "../../audit-reader";
import { workspaceProcedure } from "../../init";

const Input = z.object({
	filter: AuditFilterSchema.default({}),
	page: z.number().int().min(1).max(100_000).default(1),
	pageSize: z.number().int().min(1).max(200).default(50),
	/** In which the words of the filter are read, beside those that are stored. */
	language: z.enum(["en", "zh"]).default("en"),
});

/** One page of the audit log, newest first. */
export const audit = workspaceProcedure("audit.read")
	.input(Input)
	.output(z.object({ entries: z.array(AuditEntrySchema), total: z.number().int() }))
	.query(async ({ ctx, input: { filter, page, pageSize, language } }) => {
		const { workspace } = ctx.services;
		return workspace.queryAudit(ctx.workspace.id, filter, { page, pageSize }, auditReader(language, await workspace.getById(ctx.workspace.id)));
	});
