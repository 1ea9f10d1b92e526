import { PolicyPreviewSchema } from "@/server/release/contract";
import { workspaceProcedure } from "../../init";
import { PolicyReference, policyOf } from "./policy-reference";

/** A policy version beside the one in force: what was measured, and the gate. */
export const policyPreview = workspaceProcedure("workspace.read")
	.input(PolicyReference)
	.output(PolicyPreviewSchema)
	.query(async ({ ctx, input }) => ctx.services.release.previewPolicy({ workspaceId: ctx.workspace.id, policyVersionId: await policyOf(ctx, input) }));
