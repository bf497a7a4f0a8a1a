-- Creates webhooks. A hook is a place in the chain of its tenant, so no queue of events stands beside the log (decision
-- 0124). The previous version seals on as before: the default numbers its seals too.
set local lock_timeout = '1s';

-- The order of seals over all tenants. Earlier seals have no number.
create sequence audit_seals_number_seq;
alter table audit_seals add column number bigint;
alter table audit_seals alter column number set default nextval('audit_seals_number_seq');
create index audit_seals_number_idx on audit_seals (number) where number is not null;

-- Audit records up to this id came with an import of the tenant. No hook delivers them.
alter table tenants add column imported_to bigint not null default 0;

create table webhooks (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  url text not null,
  events text[] not null,
  description text not null default '' check (char_length(description) <= 255),
  status smallint not null default 1 check (status in (0, 1)),
  all_tenants boolean not null default false,
  created_at timestamptz not null,
  disabled_reason text not null default '',
  -- The last editor, a user or service account: without a reference, since the hook outlives them.
  editor_tenant_id uuid not null,
  editor_id bigint not null,
  -- When the present URL answered a test with 2xx.
  verified_at timestamptz,
  -- The next record: its seal, and its place in the chain. With all_tenants the number of the seal, and the index in it.
  seal bigint not null,
  position bigint not null,
  -- Records before this place are skipped.
  skip_seal bigint not null default 0,
  skip_position bigint not null default 0,
  -- Attempts at the next record.
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_delivered_at timestamptz,
  -- Grows with each change by a person: a replica that delivers then stops.
  version integer not null default 1,
  primary key (tenant_id, id)
);

create table webhook_deliveries (
  tenant_id uuid not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  -- The id of the audit record; 0 for a gap.
  event_id bigint not null,
  event text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead')),
  attempts integer not null,
  response_status integer,
  error text not null default '',
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
);
create index webhook_deliveries_webhook_id_idx on webhook_deliveries (tenant_id, webhook_id, id);
-- At most one row of a hook: the next record, once an attempt at it has failed.
create index webhook_deliveries_open_idx on webhook_deliveries (tenant_id, webhook_id) where status in ('pending', 'failed');
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

-- The replica that delivers for a tenant. The clock is that of the database.
create table webhook_leases (
  tenant_id uuid primary key references tenants (id),
  replica_id uuid not null,
  ends_at timestamptz not null
);

-- The secrets that sign deliveries, encrypted (crypto/secrets.ts): the present one, and until `ends_at` the one before.
-- Without a tenant_id, because a rotation of secret keys rewrites those of all tenants.
create table webhook_secrets (
  id uuid primary key,
  webhook_tenant_id uuid not null,
  webhook_id bigint not null,
  sealed bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz
);
create index webhook_secrets_webhook_idx on webhook_secrets (webhook_tenant_id, webhook_id);

alter table webhooks enable row level security, force row level security;
create policy tenant_scope on webhooks to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on webhooks to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
alter table webhook_deliveries enable row level security, force row level security;
create policy tenant_scope on webhook_deliveries to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on webhook_deliveries to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
-- Sweeping reaches the old deliveries of every tenant.
create policy expired on webhook_deliveries to tenantry_purge using (created_at < now() - interval '30 days');
alter table webhook_leases enable row level security, force row level security;
create policy tenant_scope on webhook_leases to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on webhook_leases to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
grant select, insert, update, delete on webhooks, webhook_deliveries, webhook_leases, webhook_secrets to tenantry_app;
grant select, delete on webhooks, webhook_deliveries, webhook_leases, webhook_secrets to tenantry_purge;

-- Delivering has to find the tenants that have something to deliver: places and times alone, across tenants.
create policy searched on webhooks for select to tenantry_search using (true);
grant select (tenant_id, id, status, all_tenants, verified_at, seal, next_attempt_at) on webhooks to tenantry_search;
create policy searched on webhook_leases for select to tenantry_search using (true);
grant select (tenant_id, replica_id, ends_at) on webhook_leases to tenantry_search;
create policy searched on audit_seals for select to tenantry_search using (true);
grant select (tenant_id, sequence, number, record_ids, newest_at) on audit_seals to tenantry_search;
grant select (status) on tenants to tenantry_search;
grant usage on sequence audit_seals_number_seq to tenantry_seal;
