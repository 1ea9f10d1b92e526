import { z } from "zod";
import { remoteProblem } from "@/server/harness";
import { HarnessKindSchema } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { recordAudit } from "@/server/workspace";
import { workspaceProcedure } from "../../init";

const Input = z.object({ kind: HarnessKindSchema.default("agent"), url: z.string().trim().max(500).nullable() });

/** Sets or clears the repository that each landing is pushed to. */
export const remoteSet = workspaceProcedure("settings.edit")
	.input(Input)
	.mutation(async ({ ctx, input }) => {
		const why = input.url === null ? null : remoteProblem(input.url);
		if (why) throw new AppError("bad-input", `The remote was not set: ${why}.`, { reason: "remote-address", params: { why } });
		await ctx.services.harness.setRemote(ctx.workspace.id, input.url, input.kind);
		await recordAudit(ctx.services.db, {
			workspaceId: ctx.workspace.id,
			actor: ctx.user,
			action: "harness.remote",
			subject: `${input.kind} harness`,
			detail: { url: input.url },
		});
	});
