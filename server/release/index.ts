export { createHoldoutPort } from "./holdout-port";
export type { HoldoutOutcome } from "./ports";
export { releaseFacts } from "./read-releases";
export { countReadings as countHoldoutReadings } from "./release.repository";
export { createReleaseGit } from "./release-git";
export { createReleaseService, type ReleaseService } from "./release-service";
export { runLoop } from "./run-loop";
export { serveGit } from "./serve-git";
export { serveRelease } from "./serve-release";
