import { z } from "zod";
import { ApiTokenSchema } from "@/server/auth/contract";
import { workspaceProcedure } from "../../init";

export const tokensList = workspaceProcedure("token.manage")
	.output(z.array(ApiTokenSchema))
	.query(({ ctx }) => ctx.services.auth.listTokens(ctx.workspace.id));
