import { z } from "zod";
import { SuiteInfoSchema } from "@/server/evaluation/contract";
import { workspaceProcedure } from "../../init";

/** Suites with their versions; of the holdout only the count. */
export const suites = workspaceProcedure("workspace.read")
	.output(z.array(SuiteInfoSchema))
	.query(({ ctx }) => ctx.services.evaluation.listSuites(ctx.workspace.id));
