export { bufferSource, fileSource, type TableSource } from "./cases/read-table";
export { createStagedUploads, type StagedUploads } from "./cases/staged-upload";
export { createEvaluationService, type EvaluationService, type RunView } from "./create-evaluation-service";
export type { EvaluationPorts, PrepareRun, RunConfig, WorkspaceFacts } from "./ports";
export { createPrepareRun, type PrepareRunDeps } from "./prepare-run";
export { RUNS_KEY } from "./runs/run-worker";
export type { StartRun } from "./runs/start-run";
export {
	type CompareOptions,
	compareRuns,
	DECISIVE_COVERAGE,
	type EpisodeScore,
	minimumDetectableEffect,
	PUBLISHED,
	reconstruct,
	summarize,
} from "./statistics";
