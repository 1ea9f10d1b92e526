import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Changes, Id } from "./inputs";

/** Runs a proposal on the evidence cases of its findings only, with edits that are not saved yet if given. */
export const proposalTry = workspaceProcedure("run.start")
	.input(z.object({ proposalId: Id, changes: Changes.optional() }))
	.output(z.object({ runId: z.string(), cases: z.number().int() }))
	.mutation(({ ctx, input: { proposalId, changes } }) =>
		ctx.services.evolution.tryOnEvidence({ workspaceId: ctx.workspace.id, proposalId, actor: ctx.user, ...(changes ? { changes } : {}) }),
	);
