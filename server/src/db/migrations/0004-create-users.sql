-- Creates the callers of a tenant, their roles and their sessions. In every tenant-bound table, tenant_id is the first
-- column of every primary, unique and foreign key. So a reference cannot cross tenants, and the tables can be
-- distributed by it.

create table users (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  account_id bigint not null,
  email text not null,
  username text not null,
  username_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  avatar text not null default '',
  -- username, e-mail and nickname, folded, one per line, for the keyword search.
  search_folded text collate "C" not null,
  status smallint not null default 1 check (status in (0, 1)),
  -- The last sign-in. The user keeps its time and address, because all sessions may have ended.
  last_login_at timestamptz,
  last_ip text not null default '',
  last_seen_on date, -- The last UTC day the user was seen on, written once a day, and the previous such day.
  previously_seen_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint users_tenant_id_username_key unique (tenant_id, username_folded),
  constraint users_tenant_id_account_id_key unique (tenant_id, account_id),
  -- The user's e-mail is a copy of the account's, which spares a join on every list. This key keeps them equal.
  constraint users_account_id_email_fkey foreign key (account_id, email)
    references accounts (id, email) on update cascade
);
-- Login finds the users of an account before it knows a tenant. Deleting an account checks for users.
create index users_account_id_idx on users (account_id);
-- The list of disabled users, by id. Most users are enabled, and the primary key finds them.
create index users_disabled_idx on users (tenant_id, id) where status = 0;
-- The dashboard's day counts users created and users seen.
create index users_tenant_id_created_at_idx on users (tenant_id, created_at);
create index users_tenant_id_last_seen_on_idx on users (tenant_id, last_seen_on);

-- Callers without e-mail and password. A service account holds roles like a user, so its id comes from the users'
-- counter.
create table service_accounts (
  tenant_id uuid not null references tenants (id),
  id bigint not null default nextval('users_id_seq'),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null,
  description text not null default '' check (char_length(description) <= 255),
  status smallint not null default 1 check (status in (0, 1)),
  created_at timestamptz not null,
  last_used_at timestamptz, -- At most 5 minutes before the last request.
  primary key (tenant_id, id),
  constraint service_accounts_tenant_id_name_key unique (tenant_id, name_folded)
);

create table service_account_keys (
  tenant_id uuid not null,
  id bigint generated always as identity,
  account_id bigint not null,
  name text not null check (char_length(name) between 1 and 64),
  prefix text not null, -- The first characters of the key, by which people recognise it.
  -- SHA-256 of the whole key. The key has 256 random bits, so that a slow hash would add nothing.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_by bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  allowed_cidrs text[] not null default '{}', -- Addresses and ranges that may use the key; empty: all.
  primary key (tenant_id, id),
  constraint service_account_keys_tenant_id_account_id_secret_hash_key unique (tenant_id, account_id, secret_hash),
  foreign key (tenant_id, account_id) references service_accounts (tenant_id, id) on delete cascade
);

create table roles (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity (start with 1001) check (id > 1000),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null,
  description text not null default '' check (char_length(description) <= 255),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint roles_tenant_id_name_key unique (tenant_id, name_folded)
);
-- Finds the tenants' own roles that have a new template's name.
create index roles_name_folded_idx on roles (name_folded);

create table role_permissions (
  tenant_id uuid not null,
  role_id bigint not null,
  permission_id integer not null,
  platform_only boolean not null,
  primary key (tenant_id, role_id, permission_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade,
  foreign key (permission_id, platform_only) references permissions (id, platform_only),
  -- docs/contract.md, "Roles and permissions": platform-only permissions exist only in the built-in tenant's roles.
  constraint role_permissions_platform_check
    check (not platform_only or tenant_id = '00000000-0000-4000-8000-000000000001')
);

-- The holder is a user or a service account. The role is a tenant's own or a template. The services delete assignments
-- with either. Ids are never reused, so that a leftover row gives nobody a role.
create table user_roles (
  tenant_id uuid not null,
  user_id bigint not null,
  role_id bigint not null,
  constraint user_roles_pkey primary key (tenant_id, user_id, role_id),
  -- The template platform-admin opens every tenant. Only users of the built-in tenant can hold it.
  constraint user_roles_platform_admin_check
    check (role_id <> 1 or tenant_id = '00000000-0000-4000-8000-000000000001')
);
-- Lists the holders of a role by id, and finds the assignments of a deleted role.
create index user_roles_tenant_id_role_id_user_id_idx on user_roles (tenant_id, role_id, user_id);

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id bigint not null,
  account_id bigint not null, -- The user's account, and its epoch (decision 0102).
  account_epoch integer not null default 0,
  sign_in_id uuid not null default gen_random_uuid(), -- Sessions of one sign-in end together.
  -- Whether the sign-in is that of a browser, or has sessions in other tenants. Any other session ends alone.
  is_shared boolean not null default false,
  amr text[] not null default '{pwd}', -- The kinds of proof of the person's identity (RFC 8176).
  ip text not null default '', -- Address and browser of the sign-in.
  user_agent text not null default '' check (char_length(user_agent) <= 512),
  -- The generation of the valid refresh token. Each refresh adds one (sessions.service.ts).
  generation integer not null default 0,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null default now(), -- At most 5 minutes before the last request.
  expires_at timestamptz not null,
  -- The UTC day of the end. A refresh within a day changes no indexed column, so PostgreSQL writes no index entry.
  expires_on date not null generated always as ((expires_at at time zone 'UTC')::date) stored,
  -- No refresh moves the end beyond this (decision 0102). Null: a refresh gives seven days more.
  latest_expires_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- Finds all sessions of a user, to end them.
create index sessions_tenant_id_user_id_idx on sessions (tenant_id, user_id);
-- Finds the sessions of a person in all tenants.
create index sessions_account_id_idx on sessions (account_id);
-- Finds expired sessions of all tenants, to delete them.
create index sessions_expires_on_idx on sessions (expires_on);
