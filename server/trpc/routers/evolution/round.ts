import { z } from "zod";
import { RoundDetailSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Id } from "./inputs";

/** One round by id, or by name (`Evo.2`, `base`) in an evolution. */
export const round = workspaceProcedure("workspace.read")
	.input(z.object({ round: Id, evolutionId: Id.optional() }))
	.output(RoundDetailSchema)
	.query(({ ctx, input: { round: name, evolutionId } }) =>
		ctx.services.evolution.round({
			workspaceId: ctx.workspace.id,
			round: name,
			viewer: { roles: ctx.workspace.roles },
			...(evolutionId ? { evolutionId } : {}),
		}),
	);
