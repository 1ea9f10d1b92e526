import { AdviceRuleViewSchema } from "@/server/training/contract";
import { workspaceProcedure } from "../../init";

/** The thresholds of the advice that are in force; version 0 are the defaults. */
export const adviceRule = workspaceProcedure("workspace.read")
	.output(AdviceRuleViewSchema)
	.query(({ ctx }) => ctx.services.advice.rule(ctx.workspace.id));
