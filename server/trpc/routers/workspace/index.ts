import { router } from "../../init";
import { changes } from "./changes";
import { get } from "./get";
import { shell } from "./shell";
import { update } from "./update";

export const workspaceRouter = router({ changes, get, shell, update });
