import { z } from "zod";
import { GatePolicySchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";
import { Reason } from "./inputs";

/** Puts a new version of the gate policy in force, with the reason. */
export const updateGatePolicy = workspaceProcedure("gate.edit")
	.input(z.object({ content: GatePolicySchema, reason: Reason, expectedVersion: z.number().int().min(0) }))
	.output(z.object({ version: z.number().int() }))
	.mutation(({ ctx, input: { content, reason, expectedVersion } }) =>
		ctx.services.evolution.updateGatePolicy({ workspaceId: ctx.workspace.id, actor: ctx.user, content, reason, expectedVersion }),
	);
