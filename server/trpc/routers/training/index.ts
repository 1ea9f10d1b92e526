import { router } from "../../init";
import { ablation } from "./ablation";
import { ablationCancel } from "./ablation-cancel";
import { ablationLoad } from "./ablation-load";
import { ablationStart } from "./ablation-start";
import { ablations } from "./ablations";
import { advice } from "./advice";
import { checkpointFile } from "./checkpoint-file";
import { checkpointImport } from "./checkpoint-import";
import { control } from "./control";
import { curves } from "./curves";
import { get } from "./get";
import { list } from "./list";
import { start } from "./start";
import { startOptions } from "./start-options";

const ofAblations = { ablations, ablation, ablationStart, ablationCancel, ablationLoad };

export const trainingRouter = router({ checkpointFile, checkpointImport, advice, list, get, curves, start, startOptions, control, ...ofAblations });
