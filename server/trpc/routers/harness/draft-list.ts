import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** The person's own drafts in this workspace. */
export const draftList = workspaceProcedure("draft.edit")
	.input(z.object({}))
	.query(({ ctx }) => ctx.services.harness.drafts.list(ctx.workspace.id, ctx.user.id));
