import { z } from "zod";
import { ProposalStatusSchema, ProposalSummarySchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Proposals, newest first. */
export const proposals = workspaceProcedure("workspace.read")
	.input(z.object({ evolutionId: Id.optional(), roundId: Id.optional(), status: z.array(ProposalStatusSchema).max(8).optional() }))
	.output(z.array(ProposalSummarySchema))
	.query(({ ctx, input: { evolutionId, roundId, status } }) =>
		ctx.services.evolution.proposals({
			workspaceId: ctx.workspace.id,
			...(evolutionId ? { evolutionId } : {}),
			...(roundId ? { roundId } : {}),
			...(status ? { status } : {}),
		}),
	);
