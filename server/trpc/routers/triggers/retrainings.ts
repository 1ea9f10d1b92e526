import { z } from "zod";
import { RetrainingProposalSchema } from "@/server/triggers/contract";
import { workspaceProcedure } from "../../init";

/** Retrainings that triggers proposed: those that wait first, then the newest. */
export const retrainings = workspaceProcedure("workspace.read")
	.output(z.array(RetrainingProposalSchema))
	.query(({ ctx }) => ctx.services.triggers.retrainings(ctx.workspace.id));
