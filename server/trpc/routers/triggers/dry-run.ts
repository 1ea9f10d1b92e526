import { DryRunSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";
import { DryRunInput } from "./inputs";

/** What a trigger would have done over the last days. */
export const dryRun = workspaceProcedure("workspace.read")
	.input(DryRunInput)
	.output(DryRunSchema)
	.query(({ ctx, input: { days, trigger } }) => ctx.services.triggers.dryRun({ workspaceId: ctx.workspace.id, days, trigger }));
