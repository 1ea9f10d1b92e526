import { z } from "zod";
import { EvolutionOverviewSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** Everything that the Evolution page draws; without an id, the newest evolution. */
export const overview = workspaceProcedure("workspace.read")
	.input(z.object({ evolutionId: Id.nullish() }))
	.output(EvolutionOverviewSchema)
	.query(({ ctx, input }) =>
		ctx.services.evolution.overview({
			workspaceId: ctx.workspace.id,
			viewer: { id: ctx.user.id, roles: ctx.workspace.roles },
			...(input.evolutionId ? { evolutionId: input.evolutionId } : {}),
		}),
	);
