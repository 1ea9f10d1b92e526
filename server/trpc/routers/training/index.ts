import { router } from "../../init";
import { ablation } from "./ablation";
import { ablationCancel } from "./ablation-cancel";
import { ablationLoad } from "./ablation-load";
import { ablationStart } from "./ablation-start";
import { ablations } from "./ablations";
import { advice } from "./advice";
import { checkpoint } from "./checkpoint";
import { checkpointFile } from "./checkpoint-file";
import { checkpointImport } from "./checkpoint-import";
import { checkpointRemove } from "./checkpoint-remove";
import { checkpoints } from "./checkpoints";
import { control } from "./control";
import { curves } from "./curves";
import { get } from "./get";
import { list } from "./list";
import { start } from "./start";
import { startOptions } from "./start-options";

const ofCheckpoints = { checkpoints, checkpoint, checkpointFile, checkpointImport, checkpointRemove };
const ofAblations = { ablations, ablation, ablationStart, ablationCancel, ablationLoad };

export const trainingRouter = router({ ...ofCheckpoints, advice, list, get, curves, start, startOptions, control, ...ofAblations });
