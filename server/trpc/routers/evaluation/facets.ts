import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { RunId } from "./inputs";

const Facet = z.array(z.object({ value: z.string(), count: z.number().int() }));

/** What a run's results can be filtered by, with counts. */
export const facets = workspaceProcedure("workspace.read")
	.input(RunId)
	.output(z.object({ verdict: Facet, category: Facet, skill: Facet, tool: Facet, fault: Facet, failureType: Facet }))
	.query(({ ctx, input }) => ctx.services.evaluation.facets(ctx.workspace.id, input.runId));
