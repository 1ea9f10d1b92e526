export { createEndpointPolicy } from "./endpoint-policy";
export { toOpenAiRecord } from "./export-openai";
export { toOtlp } from "./export-otel";
export type { AgentDependencies } from "./ports";
export { runEpisode } from "./run-episode";
export { createTryService, type TryService, tryJob } from "./try-service";
