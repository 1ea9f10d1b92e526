import { z } from "zod";
import { RuleSchema } from "@/server/workspace/contract";
import { workspaceProcedure } from "../../init";

/** What happens by itself here; anyone may see it. */
export const rules = workspaceProcedure("workspace.read")
	.output(z.array(RuleSchema))
	.query(({ ctx }) => ctx.services.workspace.listRules(ctx.workspace.id));
