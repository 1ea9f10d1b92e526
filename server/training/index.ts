export { computeAdvantages } from "./maths/advantages";
export type { TrainingPorts } from "./ports";
export { pretrain } from "./pretrain/pretrain";
export { readGeneralData } from "./pretrain/read-general-data";
export { createTrainingService, type TrainingService } from "./train-service";
