export { type CompareOptions, compareRuns } from "./compare-runs";
export { pairedGap } from "./paired-gap";
export { minimumDetectableEffect } from "./power";
export { PUBLISHED, reconstruct } from "./published-series";
export { type EpisodeScore, liveScores, summarize } from "./summarize";
