export { type CompareOptions, compareRuns, type EpisodeScore, PUBLISHED, reconstruct, summarize } from "./statistics";
