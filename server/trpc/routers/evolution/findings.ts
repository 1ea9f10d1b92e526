import { z } from "zod";
import { FindingStatusSchema, FindingViewSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Findings of an evolution, the largest share first. */
export const findings = workspaceProcedure("workspace.read")
	.input(z.object({ evolutionId: Id, status: z.array(FindingStatusSchema).max(6).optional() }))
	.output(z.array(FindingViewSchema))
	.query(({ ctx, input: { evolutionId, status } }) =>
		ctx.services.evolution.findings({ workspaceId: ctx.workspace.id, evolutionId, ...(status ? { status } : {}) }),
	);
