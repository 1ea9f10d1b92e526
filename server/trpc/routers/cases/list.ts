import { z } from "zod";
import { CaseRowSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";

/** A page of a suite version's open cases. */
export const list = workspaceProcedure("workspace.read")
	.input(
		z.object({
			suiteVersionId: z.string().min(1).max(80),
			split: z.array(z.enum(["dev", "test"])).default([]),
			category: z.array(z.string().max(80)).default([]),
			tag: z.array(z.string().max(80)).default([]),
			group: z.string().max(120).nullable().default(null),
			text: z.string().max(200).default(""),
			sort: z.enum(["key", "category", "split", "group", "created"]).default("key"),
			descending: z.boolean().default(false),
			offset: z.number().int().min(0).default(0),
			limit: z.number().int().min(1).max(500).default(100),
		}),
	)
	.output(z.object({ rows: z.array(CaseRowSchema), total: z.number().int(), categories: z.array(z.string()) }))
	.query(({ ctx, input: { workspace: _slug, ...filter } }) => ctx.services.evaluation.listCases(ctx.workspace.id, filter));
