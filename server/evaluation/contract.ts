/** Everything of this domain that a client may know: Zod and types only. */
export * from "./cases.contract";
export * from "./runs.contract";
export * from "./scores.contract";
export * from "./values.contract";
export * from "./variants.contract";
