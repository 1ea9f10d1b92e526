export { type AuditInput, emitEvent, nextNumber, recordAudit } from "./workspace.repository";
