/** Everything of this domain that a client may know: Zod and types only. */
export * from "./core.contract";
export * from "./loop-report.contract";
export * from "./overview.contract";
export * from "./views.contract";
