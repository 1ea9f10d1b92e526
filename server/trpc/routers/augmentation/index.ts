import { router } from "../../init";
import { envelope } from "./envelope";
import { envelopeSave } from "./envelope-save";
import { preview } from "./preview";

export const augmentationRouter = router({ envelope, envelopeSave, preview });
