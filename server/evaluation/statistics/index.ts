export { type CompareOptions, compareRuns } from "./compare-runs";
export { minimumDetectableEffect } from "./power";
export { PUBLISHED, reconstruct } from "./published-series";
export { DECISIVE_COVERAGE, type EpisodeScore, liveScores, percentile, scoreCases, standingOf, summarize } from "./summarize";
