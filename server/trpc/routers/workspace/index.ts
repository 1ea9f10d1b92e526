import { router } from "../../init";
import { get } from "./get";
import { update } from "./update";

export const workspaceRouter = router({ get, update });
