import { z } from "zod";
import type { JobDefinition } from "@/server/jobs/contract";

/** A diagnosis or an edit by an engine. The row owns the truth; one at a time in a worker, since an engine uses a whole core. */
export const evolutionTaskJob: JobDefinition<{ taskId: string }> = {
	name: "evolution-task",
	schema: z.object({ taskId: z.string() }),
	concurrency: 1,
	retryLimit: 3,
};
