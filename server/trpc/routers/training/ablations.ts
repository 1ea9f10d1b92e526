import { z } from "zod";
import { AblationRowSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** Ablations of the workspace, newest first, without their tables. */
export const ablations = workspaceProcedure("workspace.read")
	.output(z.array(AblationRowSchema))
	.query(async ({ ctx }) => {
		const found = await ctx.services.training.ablations.list(ctx.workspace.id);
		const names = await ctx.services.auth.namesOf(found.map((one) => one.requestedById));
		return found.map((one) => ({ ...one, requestedBy: names.get(one.requestedById) ?? one.requestedById }));
	});
