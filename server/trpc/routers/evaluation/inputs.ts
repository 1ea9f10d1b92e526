import { z } from "zod";
import { ResultFilterSchema, ResultSortSchema } from "@/server/evaluation/contract";

export const RunId = z.object({ runId: z.string().min(1).max(80) });

export const page = { offset: z.number().int().min(0).max(1_000_000).default(0), limit: z.number().int().min(1).max(500).default(100) };

export const ResultsQuery = RunId.extend({
	filter: ResultFilterSchema.default(ResultFilterSchema.parse({})),
	sort: ResultSortSchema.default("case"),
	descending: z.boolean().default(false),
	...page,
});
