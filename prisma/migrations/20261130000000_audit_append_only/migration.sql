-- The audit log is append-only: not even the studio's own code (or a mistake in it) may rewrite what was recorded.
CREATE FUNCTION studio_refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END;
$$;

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON "AuditEntry"
	FOR EACH ROW EXECUTE FUNCTION studio_refuse_audit_change();

CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON "AuditEntry"
	FOR EACH STATEMENT EXECUTE FUNCTION studio_refuse_audit_change();
