import { AblationViewSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";
import { AblationId } from "./inputs";

/** One ablation with its table and claims. */
export const ablation = workspaceProcedure("workspace.read")
	.input(AblationId)
	.output(AblationViewSchema)
	.query(async ({ ctx, input }) => {
		const found = await ctx.services.training.ablations.getIn(ctx.workspace.id, input.ablationId);
		const names = await ctx.services.auth.namesOf([found.requestedById]);
		return { ...found, requestedBy: names.get(found.requestedById) ?? found.requestedById };
	});
