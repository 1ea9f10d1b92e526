import { z } from "zod";
import { ImportOptionsSchema } from "@/server/evaluation/contract";

export const ImportInput = z.object({
	uploadId: z.string().max(40),
	fileName: z.string().min(1).max(255),
	suite: z
		.string()
		.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "A suite's id has small letters, digits and hyphens.")
		.default("t1"),
	options: ImportOptionsSchema.prefault({}),
});
