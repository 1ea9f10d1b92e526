export { type AdviceService, createAdviceService } from "./advice/advise";
export { computeAdvantages } from "./maths/advantages";
export { pretrain } from "./pretrain/pretrain";
export { readGeneralData } from "./pretrain/read-general-data";
export { createTrainingService, type TrainingService } from "./train-service";
