export type { AblationResult } from "./ablation/perform-ablation";
export { type AblationPart, ANY_SEED } from "./ablation/run-ablation";
export { summariseAblation } from "./ablation/summarise-ablation";
export { summariseEditTest } from "./ablation/summarise-edit-test";
export { type AdviceService, createAdviceService } from "./advice/advise";
export { computeAdvantages } from "./maths/advantages";
export { pretrain } from "./pretrain/pretrain";
export { readGeneralData } from "./pretrain/read-general-data";
export { createTrainingService, type TrainingService } from "./train-service";
