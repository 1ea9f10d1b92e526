import { z } from "zod";
import { RunInfoSchema, RunReasonSchema, RunStatusSchema, SplitSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { page } from "./inputs";

/** A page of the workspace's runs. */
export const runs = workspaceProcedure("workspace.read")
	.input(
		z.object({
			status: z.array(RunStatusSchema).default([]),
			split: z.array(SplitSchema).default([]),
			suiteKey: z.array(z.string().max(80)).default([]),
			reason: z.array(RunReasonSchema).default([]),
			policyVersionId: z.array(z.string().max(80)).default([]),
			text: z.string().max(80).default(""),
			sort: z.enum(["number", "finished", "accuracy", "effectiveness", "avg"]).default("number"),
			descending: z.boolean().default(true),
			...page,
		}),
	)
	.output(z.object({ rows: z.array(RunInfoSchema), total: z.number().int() }))
	.query(({ ctx, input: { workspace: _slug, ...filter } }) => ctx.services.evaluation.list({ workspaceId: ctx.workspace.id, ...filter }));
