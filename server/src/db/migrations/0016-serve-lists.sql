-- Serves the lists of the console by indexes: the audit records of one thing (decision 0120), and
-- pages of tenants (decision 0121).

-- Building it holds up writes of audit records. On a large log, run it with `concurrently` before this version starts.
create index if not exists audit_logs_object_idx on audit_logs (tenant_id, resource, resource_id, id);

create index tenants_created_at_id_idx on tenants (created_at, id) where deleted_at is null;
