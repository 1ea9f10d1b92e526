import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** The kinds of action that occur in the log, for its filter. */
export const auditActions = workspaceProcedure("audit.read")
	.output(z.array(z.string()))
	.query(({ ctx }) => ctx.services.workspace.listAuditActions(ctx.workspace.id));
