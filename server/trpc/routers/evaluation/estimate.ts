import { z } from "zod";
import { RunEstimateSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";
import { resolveStart, StartInput } from "./start-input";

/** What a run would take, the smallest effect it could show, and the equal run that is there already. */
export const estimate = workspaceProcedure("workspace.read")
	.input(StartInput)
	.output(z.object({ estimate: RunEstimateSchema, equal: z.object({ id: z.string(), number: z.number().int() }).nullable() }))
	.query(async ({ ctx, input }) => {
		const start = await resolveStart(ctx.services, ctx.workspace.id, input);
		const [estimated, equal] = await Promise.all([
			ctx.services.evaluation.estimate(start),
			ctx.services.evaluation.findEquivalentRun({ ...start, reason: "manual" }),
		]);
		return { estimate: estimated, equal: equal ? { id: equal.id, number: equal.number } : null };
	});
