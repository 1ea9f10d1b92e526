/** The words of the schemas beside them, apart so that a page can list them without loading Zod. */
export const SPLITS = ["dev", "test", "holdout"] as const;
export const RUN_STATUSES = ["queued", "running", "cancelling", "cancelled", "done", "failed"] as const;
export const RESULT_VERDICTS = ["passed", "partial", "failed", "infra-error"] as const;
export const RESULT_SORTS = ["case", "category", "accuracy", "effectiveness", "latency", "tokens"] as const;

/** Why two runs cannot be compared, as `Comparison.invalid` says it; `runs.compare.reason.<id>` of the messages translates it. */
export const INVALID_COMPARISONS = {
	"other-workspace": "The runs belong to different workspaces.",
	"other-judge": "The runs were judged by different versions of the judge: their scores cannot be compared.",
	"other-suite": "The runs are over different suites or splits.",
	"no-pair": "The runs have no case in common.",
} as const;
