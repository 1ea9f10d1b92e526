export { createEndpointPolicy, type EndpointPolicyOptions, hookMessageText, toChatMessages } from "./endpoint-policy";
export { toOpenAiRecord } from "./export-openai";
export { toOtlp } from "./export-otel";
export { faultyAnswer } from "./inject-fault";
export type { AgentDependencies } from "./ports";
export { type EpisodeInput, runEpisode } from "./run-episode";
export { createTryService, sourceName, type TryPorts, type TryService, tryJob } from "./try-service";
