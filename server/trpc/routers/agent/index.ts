import { router } from "../../init";
import { drawViewer } from "./draw-viewer";
import { episodeExport } from "./episode-export";
import { rooms } from "./rooms";
import { tries } from "./tries";
import { tryCancel } from "./try-cancel";
import { tryExport } from "./try-export";
import { tryFollow } from "./try-follow";
import { tryGet } from "./try-get";
import { tryStart } from "./try-start";

export const agentRouter = router({ drawViewer, episodeExport, rooms, tries, tryCancel, tryExport, tryFollow, tryGet, tryStart });
