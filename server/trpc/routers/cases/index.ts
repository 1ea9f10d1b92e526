import { router } from "../../init";
import { dryRun } from "./dry-run";
import { edit } from "./edit";
import { exportCases } from "./export";
import { get } from "./get";
import { importApply } from "./import-apply";
import { keys } from "./keys";
import { list } from "./list";
import { remove } from "./remove";
import { suites } from "./suites";
import { uploadPart } from "./upload-part";

export const casesRouter = router({ suites, list, keys, get, edit, remove, uploadPart, dryRun, importApply, exportCases });
