import { router } from "../../init";
import { audit } from "./audit";
import { auditActions } from "./audit-actions";
import { ruleSwitch } from "./rule-switch";
import { rules } from "./rules";

export const settingsRouter = router({ audit, auditActions, rules, ruleSwitch });
