/** Signs that speak for retraining, apart from the schemas so that a page can list them without loading Zod. */
export const ADVICE_SIGNS = ["outside", "gap", "stopped", "unpaid", "stuck", "old"] as const;
