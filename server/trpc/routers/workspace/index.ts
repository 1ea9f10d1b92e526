import { router } from "../../init";
import { get } from "./get";
import { shell } from "./shell";
import { update } from "./update";

export const workspaceRouter = router({ get, shell, update });
