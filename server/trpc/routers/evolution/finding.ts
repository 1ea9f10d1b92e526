import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Where the finding of a number is: people say F-118, whatever evolution it belongs to. */
export const finding = workspaceProcedure("workspace.read")
	.input(z.object({ number: z.number().int().min(1).max(1_000_000_000) }))
	.output(z.object({ id: Id, evolutionId: Id }))
	.query(({ ctx, input }) => ctx.services.evolution.findingByNumber({ workspaceId: ctx.workspace.id, number: input.number }));
