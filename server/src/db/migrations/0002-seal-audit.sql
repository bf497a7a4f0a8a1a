-- Makes an altered audit trail visible: records are sealed into a signed chain for each tenant (decision 0051).

-- tenantry_seal: what seals audit records and signs for it; made and granted as the two roles of the first migration.
do $$
declare
  needed constant text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'tenantry_seal') then
    begin
      create role tenantry_seal nologin nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not pg_has_role(current_user, 'tenantry_seal', needed) then
    grant tenantry_seal to current_user;
  end if;
end $$;

-- Keys of their own -----------------------------------------------------------------------------------------------

-- A retired audit key loses its private half at once, and keeps the public one for ever.
alter table signing_keys
  add column purpose text not null default 'token' check (purpose in ('token', 'audit')),
  alter column private_pem drop not null,
  add constraint signing_keys_private_check
    check (private_pem is not null or (purpose = 'audit' and retired_at is not null));

-- Each role sees the keys of its own purpose: also a version before this one, running beside it, publishes, retires
-- and deletes token keys only, and the role of requests does not see what signs the chain.
alter table signing_keys enable row level security;
create policy token_keys on signing_keys to tenantry_app using (purpose = 'token') with check (purpose = 'token');
create policy audit_keys on signing_keys to tenantry_seal using (purpose = 'audit') with check (purpose = 'audit');
grant select, insert, update (private_pem, retired_at) on signing_keys to tenantry_seal;

-- The chain -------------------------------------------------------------------------------------------------------

-- Records that wait to be sealed.
create table audit_unsealed (
  tenant_id uuid not null,
  id bigint not null,
  primary key (tenant_id, id)
);

-- A batch of records in the order they were sealed in, and the signed statement about it.
create table audit_seals (
  tenant_id uuid not null references tenants (id),
  sequence bigint not null check (sequence > 0),
  record_ids bigint[] not null,
  -- SHA-256 of each record, 32 bytes each, in the order of record_ids.
  digests bytea not null check (octet_length(digests) = 32 * cardinality(record_ids)),
  -- SHA-256 of the statement's payload: what the next seal refers to.
  hash bytea not null check (octet_length(hash) = 32),
  -- When the newest of the records was written.
  newest_at timestamptz not null,
  statement text not null,
  primary key (tenant_id, sequence)
);

-- Where the chain of a tenant starts and ends now, signed.
create table audit_heads (
  tenant_id uuid primary key references tenants (id),
  statement text not null
);

-- What is left of an erased tenant; `id` was its id. Of no tenant that exists, so it is not tenant-bound.
create table audit_tombstones (
  id uuid primary key,
  statement text not null,
  erased_at timestamptz not null
);

-- The moment before which audit records of a tenant have expired; null: they are kept for ever.
create function audit_expiry(tenant uuid) returns timestamptz stable language sql as $$
  select now() - make_interval(days => value::int)
  from tenant_settings
  where tenant_id = tenant and key = 'audit.retention_days'
    and case when jsonb_typeof(value) = 'number' then value::numeric between 30 and 36500 else false end
$$;

-- Every record, in the statement that writes it, also when a version before this one does.
create function note_unsealed_audit() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed (tenant_id, id) select tenant_id, id from added;
  return null;
end $$;
create trigger audit_logs_unsealed after insert on audit_logs
  referencing new table as added for each statement execute function note_unsealed_audit();

-- Forced row-level security binds the owner as well. The lock of this statement keeps writers out until the end.
alter table audit_logs no force row level security;
insert into audit_unsealed (tenant_id, id) select tenant_id, id from audit_logs;
alter table audit_logs force row level security;

-- Row-level security: the second lock -----------------------------------------------------------------------------

do $$
declare
  bound text;
  scope constant text := $policy$tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid$policy$;
  expiry constant text := $policy$(select audit_expiry(nullif(current_setting('app.tenant_id', true), '')::uuid))$policy$;
begin
  foreach bound in array array['audit_unsealed', 'audit_seals', 'audit_heads'] loop
    execute format('alter table %I enable row level security', bound);
    execute format('alter table %I force row level security', bound);
    execute format('create policy tenant_scope on %I to tenantry_app using (%s) with check (%s)', bound, scope, scope);
    execute format('create policy sealing on %I to tenantry_seal using (%s) with check (%s)', bound, scope, scope);
    execute format('create policy removed_tenant on %I to tenantry_purge using (%s and exists (
      select from tenants t where t.id = tenant_id and t.deleted_at is not null))', bound, scope);
    execute format('grant select, delete on %I to tenantry_purge', bound);
  end loop;
  execute format('create policy sealing on audit_logs for select to tenantry_seal using (%s)', scope);
  -- Retention: what the tenant's own setting has let expire, and nothing else.
  execute format('create policy expired on audit_logs to tenantry_purge using (%s and created_at < %s)', scope, expiry);
  execute format('create policy expired on audit_seals to tenantry_purge using (%s and newest_at < %s)', scope, expiry);
end $$;

-- When records of the tenant in scope expire; and without one in scope, which tenants let them.
create policy audit_retention on tenant_settings for select to tenantry_purge using (
  key = 'audit.retention_days'
  and tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::uuid, tenant_id));

-- Sealing has to find the tenants that have something to seal.
create policy waiting on audit_unsealed for select to tenantry_seal using (true);

-- Append-only: no role of the service may update a record, a seal or a tombstone.
grant select, insert on audit_unsealed to tenantry_app;
grant select on audit_seals, audit_heads, audit_tombstones to tenantry_app;
grant select on audit_logs, tenants to tenantry_seal;
grant select, delete on audit_unsealed to tenantry_seal;
grant select, insert on audit_seals, audit_tombstones to tenantry_seal;
grant select, insert, update on audit_heads to tenantry_seal;
