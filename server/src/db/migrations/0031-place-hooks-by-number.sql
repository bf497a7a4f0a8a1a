-- A place in the sealed log is the number of a seal and an index in it, for hooks of one tenant too (decision 0160).
set local lock_timeout = '1s';

drop index audit_seals_number_idx;
-- Numbers rise along the chain of a tenant.
create unique index audit_seals_tenant_id_number_key on audit_seals (tenant_id, number);
create index audit_seals_number_idx on audit_seals (number);
alter table audit_seals alter column number set not null;

-- The next record: the number of its seal, and the index in it.
alter table webhooks rename column position to index;
alter table webhooks rename column skip_position to skip_index;

-- Retention counts what it takes from the hooks of all tenants, and from those of the tenant whose records it takes.
drop policy expiring on webhooks;
drop policy counted on webhooks;
create policy expiring on webhooks for select to tenantry_purge
  using (all_tenants or (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and nullif(current_setting('app.expired_before', true), '') is not null));
create policy counted on webhooks for update to tenantry_purge
  using (all_tenants or (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and nullif(current_setting('app.expired_before', true), '') is not null));
