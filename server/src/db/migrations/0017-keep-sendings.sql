-- Keeps what was sent, by whom and how far, so that a broadcast goes on where it stopped (decision 0123).

set local lock_timeout = '1s';

-- A name as it was. Empty for notifications from before this migration.
alter table notifications add column sender text not null default '';

create table sendings (
  tenant_id uuid not null,
  id bigint generated always as identity,
  -- A user or a service account, perhaps of another tenant. It may be gone.
  sender_tenant_id uuid not null,
  sender_id bigint not null,
  -- One recipient, the holders of a role, or everyone where both are null.
  user_id bigint,
  role_id bigint,
  -- The name of the recipient or the role at that time.
  recipient text not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null check (type in ('info', 'success', 'warning', 'error')),
  total bigint not null,
  sent bigint not null,
  -- The last user that got it, and the last one that is to get it: users created later do not.
  position bigint not null,
  last_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  check (num_nonnulls(user_id, role_id) < 2)
);
create index sendings_sender_idx on sendings (tenant_id, sender_tenant_id, sender_id, id);
create index sendings_user_id_idx on sendings (tenant_id, user_id) where user_id is not null;

alter table sendings enable row level security, force row level security;
create policy tenant_scope on sendings to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on sendings to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
grant select, insert, update, delete on sendings to tenantry_app;
grant select, delete on sendings to tenantry_purge;
grant usage, update on sequence sendings_id_seq to tenantry_import;
