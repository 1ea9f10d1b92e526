import { z } from "zod";
import { history as readHistory } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { workspaceProcedure } from "../../init";
import { Component, Revision } from "./inputs";

const Input = z.object({
	kind: HarnessKindSchema.default("agent"),
	revision: Revision.default("main"),
	component: Component.optional(),
	limit: z.number().int().min(1).max(200).default(50),
	skip: z.number().int().min(0).max(100_000).default(0),
});

/** Commits of a branch, or of one component on it, newest first. */
export const history = workspaceProcedure("workspace.read")
	.input(Input)
	.query(async ({ ctx, input }) => readHistory(await ctx.services.harness.repository(ctx.workspace.id, input.kind), input.revision, input));
