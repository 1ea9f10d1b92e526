import { router } from "../../init";
import { connectionCreate } from "./connection-create";
import { connectionDelete } from "./connection-delete";
import { connectionUpdate } from "./connection-update";
import { connections } from "./connections";
import { endpointCreate } from "./endpoint-create";
import { endpointDelete } from "./endpoint-delete";
import { endpointTest } from "./endpoint-test";
import { endpointUpdate } from "./endpoint-update";
import { endpoints } from "./endpoints";
import { roleAssign } from "./role-assign";

export const modelsRouter = router({
	endpoints,
	endpointCreate,
	endpointUpdate,
	endpointDelete,
	endpointTest,
	roleAssign,
	connections,
	connectionCreate,
	connectionUpdate,
	connectionDelete,
});
