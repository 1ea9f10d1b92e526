import type { RunInfo } from "@/server/evaluation/contract";

/** A suite as it is written: T1, T2, T3-TOOL are names of the field; a suite of a person's keeps the letters that it was given. */
export const suiteTitle = (key: string): string => (/^t\d(-\w+)?$/.test(key) ? key.toUpperCase() : key);

/** What a run is called by its suite: T1, or T2 / T3-TOOL / T3-PROMPT for the same cases under variants of the harness. */
export const suiteName = ({ suiteKey, variants }: Pick<RunInfo, "suiteKey" | "variants">): string => suiteTitle(variants?.suite ?? suiteKey);
