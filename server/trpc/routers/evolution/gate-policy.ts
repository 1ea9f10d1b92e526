import { GatePolicySchema, GatePolicyViewSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";

/** The gate policy in force; version 0 are the defaults. */
export const gatePolicy = workspaceProcedure("workspace.read")
	.output(GatePolicyViewSchema.extend({ content: GatePolicySchema }))
	.query(({ ctx }) => ctx.services.evolution.gatePolicy(ctx.workspace.id));
