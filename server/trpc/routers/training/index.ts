import { router } from "../../init";
import { ablation } from "./ablation";
import { ablationCancel } from "./ablation-cancel";
import { ablationLoad } from "./ablation-load";
import { ablationStart } from "./ablation-start";
import { ablations } from "./ablations";
import { advice } from "./advice";
import { adviceRule } from "./advice-rule";
import { checkpoint } from "./checkpoint";
import { checkpointFile } from "./checkpoint-file";
import { checkpointImport } from "./checkpoint-import";
import { checkpointMeasure } from "./checkpoint-measure";
import { checkpointRemove } from "./checkpoint-remove";
import { checkpoints } from "./checkpoints";
import { control } from "./control";
import { curves } from "./curves";
import { get } from "./get";
import { list } from "./list";
import { start } from "./start";
import { startOptions } from "./start-options";
import { updateAdviceRule } from "./update-advice-rule";

const ofCheckpoints = { checkpoints, checkpoint, checkpointFile, checkpointImport, checkpointMeasure, checkpointRemove };
const ofAdvice = { advice, adviceRule, updateAdviceRule };
const ofAblations = { ablations, ablation, ablationStart, ablationCancel, ablationLoad };

export const trainingRouter = router({ ...ofCheckpoints, ...ofAdvice, list, get, curves, start, startOptions, control, ...ofAblations });
