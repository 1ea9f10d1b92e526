import type { RunInfo } from "@/server/evaluation/contract";

/** What a run is called by its suite: T1, or T2 / T3-TOOL / T3-PROMPT for the same cases under variants of the harness. */
export const suiteName = ({ suiteKey, variants }: Pick<RunInfo, "suiteKey" | "variants">): string => (variants?.suite ?? suiteKey).toUpperCase();
