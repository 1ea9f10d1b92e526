import { router } from "../../init";
import { envelope } from "./envelope";
import { envelopeSave } from "./envelope-save";
import { ofEpisode } from "./of-episode";
import { preview } from "./preview";

export const augmentationRouter = router({ envelope, envelopeSave, ofEpisode, preview });
