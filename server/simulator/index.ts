export { createSimulator, type Simulator } from "./create-simulator";
export { type BundleProblem, bundleProblems, isBundleFile, parseBundle } from "./parse-bundle";
export type { BundleSource, ConnectionSource, SimulatorDependencies, ToolConnection } from "./ports";
export { resolveRoom } from "./resolve-room";
