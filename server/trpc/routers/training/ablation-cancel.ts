import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { AblationId } from "./inputs";

/** Stops an ablation that is not over. */
export const ablationCancel = workspaceProcedure("training.control")
	.input(AblationId)
	.output(z.object({}))
	.mutation(async ({ ctx, input }) => {
		const { ablations } = ctx.services.training;
		await ablations.cancel(await ablations.getIn(ctx.workspace.id, input.ablationId), ctx.user.id);
		return {};
	});
