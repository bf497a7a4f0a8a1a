-- Creates the callers without e-mail and password, and their keys. An account holds roles as a user does, so its id comes
-- from the counter of users, and assignments lose their reference to users: the services delete them with their holder.
-- Ids are never given twice, so an assignment that the previous version leaves behind gives nobody a role.

create table service_accounts (
  tenant_id uuid not null references tenants (id),
  id bigint not null default nextval('users_id_seq'),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null,
  description text not null default '' check (char_length(description) <= 255),
  status smallint not null default 1 check (status in (0, 1)),
  created_at timestamptz not null,
  -- At most 5 minutes before the last request.
  last_used_at timestamptz,
  primary key (tenant_id, id),
  constraint service_accounts_tenant_id_name_key unique (tenant_id, name_folded)
);

create table service_account_keys (
  tenant_id uuid not null,
  id bigint generated always as identity,
  account_id bigint not null,
  name text not null check (char_length(name) between 1 and 64),
  -- The first characters of the key, by which people recognise it.
  prefix text not null,
  -- SHA-256 of the whole key. The key has 256 random bits, so a slow hash would add nothing.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_by bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Addresses and ranges that the key may be used from; empty: all.
  allowed_cidrs text[] not null default '{}',
  primary key (tenant_id, id),
  constraint service_account_keys_tenant_id_account_id_secret_hash_key unique (tenant_id, account_id, secret_hash),
  foreign key (tenant_id, account_id) references service_accounts (tenant_id, id) on delete cascade
);

alter table user_roles drop constraint user_roles_tenant_id_user_id_fkey;

alter table service_accounts enable row level security, force row level security;
create policy tenant_scope on service_accounts to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on service_accounts to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
alter table service_account_keys enable row level security, force row level security;
create policy tenant_scope on service_account_keys to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on service_account_keys to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);

grant select, insert, update, delete on service_accounts, service_account_keys to tenantry_app;
grant usage on sequence users_id_seq to tenantry_app;
grant select, delete on service_accounts, service_account_keys to tenantry_purge;
