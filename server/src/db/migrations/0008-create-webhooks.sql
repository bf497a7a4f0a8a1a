-- Creates webhooks. A hook stores its position in its tenant's chain, so that no queue of events is necessary beside
-- the log (decision 0124).

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
  -- The last editor, a user or service account. It has no reference, because the hook can outlive it.
  editor_tenant_id uuid not null,
  editor_id bigint not null,
  verified_at timestamptz, -- The time when the present URL answered a test with 2xx.
  test_error text not null default '', -- Before that: why the last test of the URL failed.
  -- The position of the next record: the number of its seal, and its index in the seal (decision 0124).
  seal bigint not null,
  index bigint not null,
  skip_seal bigint not null default 0, -- The hook skips records before this position.
  skip_index bigint not null default 0,
  missed bigint not null default 0, -- Records that retention deleted before their delivery.
  attempts integer not null default 0, -- Attempts at the next record.
  next_attempt_at timestamptz not null,
  last_delivered_at timestamptz,
  is_slow boolean not null default false, -- A replica has separate slots for hooks of slow receivers (decision 0124).
  version integer not null default 1, -- Increases with each change by a person. A replica that delivers then stops.
  primary key (tenant_id, id)
);

-- Attempts and their answers (decision 0124). The body is the audit record, so that no row has a copy of it.
create table webhook_deliveries (
  tenant_id uuid not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  event_id bigint not null, -- The id of the audit record; 0 for a gap.
  event_tenant_id uuid, -- The tenant of the record. With all_tenants it can be another one.
  event text not null,
  own_event jsonb, -- For an event without an audit record: its `log`, and its `digest` in base64.
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead')),
  attempts integer not null,
  -- The last 20 attempts, the newest last.
  history jsonb not null default '[]' check (jsonb_array_length(history) <= 20),
  response_status integer,
  error text not null default '',
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
);
create index webhook_deliveries_webhook_id_idx on webhook_deliveries (tenant_id, webhook_id, id);
-- At most one row of a hook: the next record, after a failed attempt.
create index webhook_deliveries_open_idx on webhook_deliveries (tenant_id, webhook_id) where status in ('pending', 'failed');
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

-- The replica that delivers for a tenant. Its times are of the database's clock.
create table webhook_leases (
  tenant_id uuid primary key references tenants (id),
  replica_id uuid not null,
  ends_at timestamptz not null
);

-- The encrypted secrets that sign deliveries (crypto/secrets.ts): the present one, and the previous one until
-- `ends_at`. They have no tenant_id, because a rotation of secret keys rewrites those of all tenants.
create table webhook_secrets (
  id uuid primary key,
  webhook_tenant_id uuid not null,
  webhook_id bigint not null,
  sealed bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz
);
create index webhook_secrets_webhook_idx on webhook_secrets (webhook_tenant_id, webhook_id);
