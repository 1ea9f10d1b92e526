import { z } from "zod";
import { ResultRowSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { ResultsQuery } from "./inputs";

/** A page of a run's results. Throws `forbidden` for a sealed run. */
export const results = workspaceProcedure("workspace.read")
	.input(ResultsQuery)
	.output(z.object({ rows: z.array(ResultRowSchema), total: z.number().int() }))
	.query(({ ctx, input: { workspace: _slug, runId, ...query } }) => ctx.services.evaluation.results(ctx.workspace.id, runId, query));
