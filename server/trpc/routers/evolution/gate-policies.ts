import { z } from "zod";
import { GatePolicySchema, GatePolicyViewSchema } from "@/server/evolution/contract";
import { workspaceProcedure } from "../../init";

/** Every version of the gate policy, newest first. */
export const gatePolicies = workspaceProcedure("workspace.read")
	.output(z.array(GatePolicyViewSchema.extend({ content: GatePolicySchema })))
	.query(({ ctx }) => ctx.services.evolution.gatePolicies(ctx.workspace.id));
