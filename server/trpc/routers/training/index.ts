import { router } from "../../init";
import { control } from "./control";
import { curves } from "./curves";
import { get } from "./get";
import { list } from "./list";
import { start } from "./start";
import { startOptions } from "./start-options";

export const trainingRouter = router({ list, get, curves, start, startOptions, control });
