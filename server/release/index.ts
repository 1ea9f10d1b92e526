export { createHoldoutPort } from "./holdout-port";
export type { HoldoutOutcome, ReleaseDeps, ReleaseGit } from "./ports";
export { releaseFacts } from "./read-releases";
export { countReadings as countHoldoutReadings } from "./release.repository";
export { createReleaseGit } from "./release-git";
export { createReleaseService, type ReleaseService } from "./release-service";
export { type LoopOptions, type LoopServices, runLoop } from "./run-loop";
export { type ServeReleaseDeps, serveRelease } from "./serve-release";
