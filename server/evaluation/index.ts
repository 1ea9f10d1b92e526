export type { ImportResult, ImportTarget } from "./cases/import-cases";
export { bufferSource, fileSource } from "./cases/read-table";
export { createStagedUploads, type StagedUploads } from "./cases/staged-upload";
export { createEvaluationService, type EvaluationService, type RunView } from "./create-evaluation-service";
export { planSuite } from "./plan-suite";
export { createPrepareRun } from "./prepare-run";
export { RUNS_KEY } from "./runs/run-worker";
export type { StartRun } from "./runs/start-run";
export { compareRuns, type EpisodeScore, PUBLISHED, pairedGap, reconstruct, summarize } from "./statistics";
