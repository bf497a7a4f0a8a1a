-- Creates the audit log and the signed chain that makes an altered log visible (decision 0051). No role of the service may
-- update a record, a seal or a tombstone.

-- No foreign key to users: a record outlives the user it is about. None to tenants: every writer would lock the
-- tenant's row for it, and writers share an advisory lock instead (decision 0091).
create table audit_logs (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null default 0,
  action text collate "C" not null,
  resource text collate "C" not null,
  resource_id text not null,
  -- The user whom the record is about: also one who was assigned a role. No value of `detail` can be looked up under
  -- row-level security, because its operators are not leakproof.
  about_user_id bigint,
  detail json not null, -- json, not jsonb: no query asks for its parts, and it comes back as it was written.
  ip text not null,
  user_agent text not null,
  trace_id text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
-- The filters of the audit query, each newest first; a user's with an action or resource beside it.
create index audit_logs_tenant_id_user_id_id_idx on audit_logs (tenant_id, user_id, id) include (action);
create index audit_logs_tenant_id_action_id_idx on audit_logs (tenant_id, action, id);
create index audit_logs_tenant_id_resource_id_idx on audit_logs (tenant_id, resource, id);
-- The records of one thing (decision 0039), and of what happened to a user.
create index audit_logs_object_idx on audit_logs (tenant_id, resource, resource_id, id);
create index audit_logs_about_user_id_idx on audit_logs (tenant_id, about_user_id, id) where about_user_id is not null;

-- Records that wait to be sealed; the statement that writes a record writes its row here too.
create table audit_unsealed (
  tenant_id uuid not null,
  id bigint not null,
  primary key (tenant_id, id)
);

-- A batch of records in the order they were sealed in, and the signed statement about it.
create sequence audit_seals_number_seq;
create table audit_seals (
  tenant_id uuid not null references tenants (id),
  sequence bigint not null check (sequence > 0),
  number bigint not null default nextval('audit_seals_number_seq'), -- The order of seals over all tenants.
  record_ids bigint[] not null,
  -- SHA-256 of each record, 32 bytes each, in the order of record_ids.
  digests bytea not null check (octet_length(digests) = 32 * cardinality(record_ids)),
  hash bytea not null check (octet_length(hash) = 32), -- SHA-256 of the statement's payload: the next seal refers to it.
  newest_at timestamptz not null, -- When the newest of the records was written.
  statement text not null,
  primary key (tenant_id, sequence)
);
-- Numbers rise along the chain of a tenant.
create unique index audit_seals_tenant_id_number_key on audit_seals (tenant_id, number);
create index audit_seals_number_idx on audit_seals (number);

-- Where the chain of a tenant starts and ends now, signed.
create table audit_heads (
  tenant_id uuid primary key references tenants (id),
  statement text not null
);

-- The signed statement about the audit chain of an erased tenant, whose id it bears.
create table audit_tombstones (
  id uuid primary key,
  statement text not null,
  erased_at timestamptz not null
);

-- Partitions of the log that other servers keep (db/audit-archives.ts): the oldest ones, without a hole between them.
create table audit_archives (
  to_id bigint primary key, -- The partition ends before this id.
  partition text not null,
  archive text not null,
  -- When its oldest and its newest record were written.
  oldest_at timestamptz not null,
  newest_at timestamptz not null
);

-- Expired records that an archive still has. Their seals are gone, so nothing else would delete them.
create table audit_leftovers (
  tenant_id uuid not null,
  id bigint not null,
  primary key (tenant_id, id)
);
