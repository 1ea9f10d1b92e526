import { router } from "../../init";
import { audit } from "./audit";
import { auditActions } from "./audit-actions";

export const settingsRouter = router({ audit, auditActions });
