import { z } from "zod";
import { HarnessKindSchema } from "@/server/harness/contract";
import { recordAudit } from "@/server/workspace";
import { workspaceProcedure } from "../../init";

const Input = z.object({ kind: HarnessKindSchema.default("agent"), url: z.string().trim().max(500).nullable() });

/** Sets or clears the repository that each landing is pushed to. */
export const remoteSet = workspaceProcedure("settings.edit")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		await ctx.services.harness.setRemote(ctx.workspace.id, input.url, input.kind);
		await recordAudit(ctx.services.db, {
			workspaceId: ctx.workspace.id,
			actor: ctx.user,
			action: "harness.remote",
			subject: `${input.kind} harness`,
			detail: { url: input.url },
		});
	});
