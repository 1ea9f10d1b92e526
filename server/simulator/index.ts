export { createSimulator, type Simulator } from "./create-simulator";
export { parseBundle } from "./parse-bundle";
export { resolveRoom } from "./resolve-room";
