import { router } from "../../init";
import { advice } from "./advice";
import { control } from "./control";
import { curves } from "./curves";
import { get } from "./get";
import { list } from "./list";
import { start } from "./start";
import { startOptions } from "./start-options";

export const trainingRouter = router({ advice, list, get, curves, start, startOptions, control });
