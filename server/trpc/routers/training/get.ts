import { TrainingViewSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";
import { TrainingId } from "./inputs";
import { viewTrainings } from "./training-view";

/** One training: what it trains on, where it stands, its data card, and the policy version that it made. */
export const get = workspaceProcedure("workspace.read")
	.input(TrainingId)
	.output(TrainingViewSchema)
	.query(async ({ ctx, input }) => {
		const [view] = await viewTrainings(ctx.services, [await ctx.services.training.getIn(ctx.workspace.id, input.trainingId)]);
		return view as NonNullable<typeof view>;
	});
