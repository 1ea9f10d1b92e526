import { workspaceProcedure } from "../../init";

/** The person's own drafts in this workspace. */
export const draftList = workspaceProcedure("draft.edit").query(({ ctx }) => ctx.services.harness.drafts.list(ctx.workspace.id, ctx.user.id));
