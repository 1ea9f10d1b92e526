import { z } from "zod";
import { takeBack } from "@/server/harness";
import { workspaceProcedure } from "../../init";
import { Component, draftKey, Revision, target } from "./inputs";

const Input = z.object({ ...target, version: z.number().int().min(0), component: Component, revision: Revision });

/** Puts one component back to how it was at a commit, in the draft: it is proposed and reviewed like any other change. */
export const draftTakeBack = workspaceProcedure("draft.edit")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		const { harness } = ctx.services;
		const key = draftKey(ctx, input);
		const draft = await harness.drafts.find(key);
		const repository = await harness.repository(key.workspaceId, key.kind);
		const patch = await takeBack(repository, draft?.baseCommit ?? input.branch, input.component, input.revision);
		return harness.drafts.save(key, { version: input.version, patch });
	});
