export { createSimulator, type Simulator } from "./create-simulator";
export { parseBundle } from "./parse-bundle";
export { resolveRoom } from "./resolve-room";
export { askByModel, countWays } from "./viewers/ask-by-model";
export { drawViewer, SIMULATED_TAG, simulateViewers } from "./viewers/simulate-viewers";
