import { router } from "../../init";
import { compare } from "./compare";
import { create } from "./create";
import { giveLeave } from "./give-leave";
import { list } from "./list";
import { preview } from "./preview";
import { rollback } from "./rollback";
import { rollbackPreview } from "./rollback-preview";

export const releaseRouter = router({ compare, create, giveLeave, list, preview, rollback, rollbackPreview });
