import { z } from "zod";
import { workspaceProcedure } from "../../init";
import { draftKey, target } from "./inputs";

/** The person's workbench: files of the branch, their draft, components and problems. */
export const open = workspaceProcedure("workspace.read")
	.input(z.object(target))
	.query(({ ctx, input }) => ctx.services.harness.openWorkbench(draftKey(ctx, input)));
