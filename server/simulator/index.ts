export { createSimulator, type Simulator } from "./create-simulator";
export { parseBundle } from "./parse-bundle";
export { resolveRoom } from "./resolve-room";
export { SIMULATED_TAG, simulateViewers } from "./viewers/simulate-viewers";
