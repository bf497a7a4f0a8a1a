-- The whole schema of version 0.1: reference tables, tenant-bound tables with forced row-level security, grants.
--
-- Rules every later migration keeps:
--   * a tenant-bound table has tenant_id first in its primary key, and in every unique and foreign key
--     (the tenant in a reference cannot differ from the tenant of the row, and the table can be distributed by it);
--   * it has row-level security, forced, with the policies at the end of this file;
--   * text that is compared without case stands a second time, folded by the service, in a *_folded column with the
--     "C" collation: equal on every engine and locale, and its comparison is leakproof, so row-level security may
--     use its index.

-- tenantry_app: what requests run as. tenantry_purge: what may delete the rows of a removed tenant.
-- Neither can log in; the login role is a member of both and takes one of them on for each transaction.
do $$
declare
  wanted text;
  -- Since PostgreSQL 16 who creates a role is its member without the right to take it on; 'SET' asks for that.
  needed constant text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach wanted in array array['tenantry_app', 'tenantry_purge'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', wanted);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, wanted, needed) then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end $$;

-- Reference tables ----------------------------------------------------------------------------------------------

create table tenants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 128),
  slug text collate "C" not null check (char_length(slug) between 1 and 64),
  status smallint not null default 1 check (status in (0, 1)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A removed tenant: nothing of it can be reached any more, and its rows are being purged.
  deleted_at timestamptz
);
create unique index tenants_slug_key on tenants (slug) where deleted_at is null;

-- Credentials, apart from the tenant-bound users: one person, one e-mail, one password.
create table accounts (
  id bigint generated always as identity primary key,
  email text not null check (char_length(email) <= 254),
  email_folded text collate "C" not null constraint accounts_email_key unique,
  password_hash text not null,
  -- bcrypt: made here from at most 72 bytes; hmac-bcrypt: made here from a longer password, see passwords.ts;
  -- foreign-bcrypt: imported, made elsewhere, replaced by one of ours at the next login if its cost differs.
  password_scheme text not null default 'foreign-bcrypt'
    check (password_scheme in ('bcrypt', 'hmac-bcrypt', 'foreign-bcrypt')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_id_email_key unique (id, email)
);

create table permissions (
  id integer primary key,
  code text not null constraint permissions_code_key unique,
  name text not null,
  module text not null,
  description text not null,
  platform_only boolean not null,
  constraint permissions_id_platform_only_key unique (id, platform_only)
);

create table global_settings (
  key text collate "C" primary key check (char_length(key) between 1 and 128),
  value jsonb not null,
  updated_at timestamptz not null
);

-- Ed25519 keys that sign the tokens; the newest one that is not retired signs, all listed ones verify.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_pem text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

-- Tenant-bound tables -------------------------------------------------------------------------------------------

create table users (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  account_id bigint not null,
  email text not null,
  username text not null,
  username_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  avatar text not null default '',
  -- username, e-mail and nickname, folded, one per line: what a keyword is searched in.
  search_folded text collate "C" not null,
  status smallint not null default 1 check (status in (0, 1)),
  last_login_at timestamptz,
  -- The UTC day the user was last seen; written once a user and day.
  last_seen_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint users_tenant_id_username_key unique (tenant_id, username_folded),
  constraint users_tenant_id_account_id_key unique (tenant_id, account_id),
  -- The e-mail of a user is the account's: the copy, which spares a join on every list, cannot drift.
  constraint users_account_id_email_fkey foreign key (account_id, email)
    references accounts (id, email) on update cascade
);
-- Login finds the users of an account before it knows a tenant; deleting an account checks for users.
create index users_account_id_idx on users (account_id);
create index users_tenant_id_last_seen_on_idx on users (tenant_id, last_seen_on);

create table roles (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null,
  description text not null default '' check (char_length(description) <= 255),
  is_system boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint roles_tenant_id_name_key unique (tenant_id, name_folded)
);

create table role_permissions (
  tenant_id uuid not null,
  role_id bigint not null,
  permission_id integer not null,
  platform_only boolean not null,
  primary key (tenant_id, role_id, permission_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade,
  foreign key (permission_id, platform_only) references permissions (id, platform_only),
  -- Contract, Roles and permissions: platform-only permissions exist only in the built-in tenant's roles.
  constraint role_permissions_platform_check
    check (not platform_only or tenant_id = '00000000-0000-4000-8000-000000000001')
);

create table user_roles (
  tenant_id uuid not null,
  user_id bigint not null,
  role_id bigint not null,
  constraint user_roles_pkey primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade
);
-- Deleting a role takes it from its holders; without this index that reads every assignment of the tenant.
create index user_roles_tenant_id_role_id_idx on user_roles (tenant_id, role_id);

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id bigint not null,
  -- Which refresh token is alive: each refresh adds one (see sessions.ts).
  generation integer not null default 0,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- Ending all sessions of a user.
create index sessions_tenant_id_user_id_idx on sessions (tenant_id, user_id);
-- Sweeping out the expired ones, of all tenants.
create index sessions_expires_at_idx on sessions (expires_at);

create table tenant_settings (
  tenant_id uuid not null references tenants (id),
  key text collate "C" not null check (char_length(key) between 1 and 128),
  value jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, key)
);

create table notifications (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null default 'info' check (type in ('info', 'success', 'warning', 'error')),
  is_read boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- A user's notifications, newest first.
create index notifications_tenant_id_user_id_id_idx on notifications (tenant_id, user_id, id);
-- The unread count, and marking all read.
create index notifications_unread_idx on notifications (tenant_id, user_id) where not is_read;

-- No foreign key to users: a record outlives whom it speaks of.
create table audit_logs (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  user_id bigint not null default 0,
  action text collate "C" not null,
  resource text collate "C" not null,
  resource_id text not null,
  -- json, not jsonb: nothing asks for its parts, and it comes back as it was written.
  detail json not null,
  ip text not null,
  user_agent text not null,
  trace_id text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
-- The three filters of the audit query, each newest first.
create index audit_logs_tenant_id_user_id_id_idx on audit_logs (tenant_id, user_id, id);
create index audit_logs_tenant_id_action_id_idx on audit_logs (tenant_id, action, id);
create index audit_logs_tenant_id_resource_id_idx on audit_logs (tenant_id, resource, id);

-- Row-level security: the second lock ---------------------------------------------------------------------------

do $$
declare
  bound text;
  scope constant text := $policy$tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid$policy$;
begin
  foreach bound in array array['users', 'roles', 'role_permissions', 'user_roles', 'sessions', 'tenant_settings',
                               'notifications', 'audit_logs'] loop
    execute format('alter table %I enable row level security', bound);
    execute format('alter table %I force row level security', bound);
    execute format('create policy tenant_scope on %I to tenantry_app using (%s) with check (%s)', bound, scope, scope);
    -- Purging reaches only the tenant in scope, and only once it is marked as removed.
    execute format('create policy removed_tenant on %I to tenantry_purge using (%s and exists (
      select from tenants t where t.id = tenant_id and t.deleted_at is not null))', bound, scope);
    execute format('grant select, delete on %I to tenantry_purge', bound);
  end loop;
end $$;

-- Login: the users of one account are visible to the request that is proving its password.
create policy account_scope on users for select to tenantry_app
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);

-- Sweeping out expired sessions reaches every tenant, and nothing but those.
create policy expired on sessions to tenantry_purge using (expires_at < now());

grant select, insert, update, delete on users, roles, role_permissions, user_roles, sessions, tenant_settings,
  notifications, accounts, global_settings to tenantry_app;
grant select, insert, update on tenants to tenantry_app;
grant select on permissions to tenantry_app;
-- A start as a login role that is not the owner looks whether anything is pending.
grant select on tenantry_migrations to tenantry_app;
grant select, insert, update, delete on signing_keys to tenantry_app;
-- Append-only for the service: audit records can be neither changed nor deleted through it.
grant select, insert on audit_logs to tenantry_app;
grant select, delete on tenants, accounts to tenantry_purge;
