-- Creates the audit log and the signed chain that makes an altered log visible (decision 0051). No role of the service
-- may update a record, a seal or a tombstone.

-- No foreign key to users: a record outlives its user. None to tenants: every writer would lock the tenant's row for
-- it. Writers share an advisory lock instead (decision 0091).
create table audit_logs (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null default 0,
  action text collate "C" not null,
  resource text collate "C" not null,
  resource_id text not null,
  -- The user that the record is about, such as the recipient of a role. Row-level security permits no lookup by a
  -- value of `detail`, because its operators are not leakproof.
  about_user_id bigint,
  -- The user as whom somebody acted in a support session.
  on_behalf_of bigint,
  application_id bigint, -- The application of the assistant that made the change.
  detail json not null, -- json and not jsonb: no query reads its parts, and it keeps the text as it was written.
  ip text not null,
  user_agent text not null,
  trace_id text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
-- The filters of the audit query, each newest first. The first also serves a user with an action or resource.
create index audit_logs_tenant_id_user_id_id_idx on audit_logs (tenant_id, user_id, id) include (action, on_behalf_of);
create index audit_logs_tenant_id_action_id_idx on audit_logs (tenant_id, action, id);
create index audit_logs_tenant_id_resource_id_idx on audit_logs (tenant_id, resource, id);
-- The records of one object (decision 0039), and the records about a user.
create index audit_logs_object_idx on audit_logs (tenant_id, resource, resource_id, id);
create index audit_logs_about_user_id_idx on audit_logs (tenant_id, about_user_id, id) where about_user_id is not null;
create index audit_logs_on_behalf_of_idx on audit_logs (tenant_id, on_behalf_of, id) where on_behalf_of is not null;
create index audit_logs_application_id_idx on audit_logs (tenant_id, application_id, id) where application_id is not null;

-- Records that wait to be sealed. The statement that writes a record also writes its row here.
create table audit_unsealed (
  tenant_id uuid not null,
  id bigint not null,
  primary key (tenant_id, id)
);

-- A batch of records in the order of their sealing, and the signed statement about it.
create sequence audit_seals_number_seq;
create table audit_seals (
  tenant_id uuid not null references tenants (id),
  sequence bigint not null check (sequence > 0),
  number bigint not null default nextval('audit_seals_number_seq'), -- The order of seals over all tenants.
  record_ids bigint[] not null,
  -- SHA-256 of each record, 32 bytes each, in the order of record_ids.
  digests bytea not null check (octet_length(digests) = 32 * cardinality(record_ids)),
  -- SHA-256 of the statement's payload. The next seal refers to it.
  hash bytea not null check (octet_length(hash) = 32),
  newest_at timestamptz not null, -- The time of the newest record.
  statement text not null,
  primary key (tenant_id, sequence)
);
-- Numbers increase along a tenant's chain.
create unique index audit_seals_tenant_id_number_key on audit_seals (tenant_id, number);
create index audit_seals_number_idx on audit_seals (number);

-- The signed start and end of a tenant's chain.
create table audit_heads (
  tenant_id uuid primary key references tenants (id),
  statement text not null
);

-- The signed statement about the audit chain of an erased tenant. `id` is the tenant's id.
create table audit_tombstones (
  id uuid primary key,
  statement text not null,
  erased_at timestamptz not null
);

-- Partitions of the log on archive servers (db/audit-archives.ts): the oldest ones, without a gap.
create table audit_archives (
  to_id bigint primary key, -- The partition ends before this id.
  partition text not null,
  archive text not null,
  -- Times of its oldest and its newest record.
  oldest_at timestamptz not null,
  newest_at timestamptz not null
);

-- Expired records that an archive still has. Their seals are deleted, so that nothing else would delete them.
create table audit_leftovers (
  tenant_id uuid not null,
  id bigint not null,
  primary key (tenant_id, id)
);
