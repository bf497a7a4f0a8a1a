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
  warn_at timestamptz, -- When administrators get a warning about the end. Null: never, or they got it.
  primary key (tenant_id, id),
  constraint service_account_keys_warn_at_check check (warn_at is null or warn_at < expires_at),
  constraint service_account_keys_tenant_id_account_id_secret_hash_key unique (tenant_id, account_id, secret_hash),
  foreign key (tenant_id, account_id) references service_accounts (tenant_id, id) on delete cascade
);
create index service_account_keys_warn_at_idx on service_account_keys (warn_at) where warn_at is not null;

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
  -- Lists of assignments page by it.
  id bigint generated always as identity,
  -- sso: a provider's or directory's group assigned the role, and removes it again. default: the new user got it.
  source text not null default 'manual' check (source in ('manual', 'default', 'invitation', 'sso')),
  -- The user or service account that assigned the role; 0 if unknown. Of another tenant only if that is not null.
  assigned_by bigint not null default 0,
  assigned_by_tenant uuid,
  -- The account of that user: the same person in every tenant. It has no reference, because the assignment can outlive it.
  assigned_by_account bigint,
  assigned_at timestamptz not null default now(),
  -- From this time on the assignment counts nowhere (access/held-roles.sql.ts). Null: it has no end.
  expires_at timestamptz,
  -- The next time at which holder and giver are told of the end.
  warn_at timestamptz,
  constraint user_roles_pkey primary key (tenant_id, user_id, role_id),
  constraint user_roles_warn_at_check check (warn_at is null or warn_at < expires_at),
  -- The template platform-admin opens every tenant. Only users of the built-in tenant can hold it.
  constraint user_roles_platform_admin_check
    check (role_id <> 1 or tenant_id = '00000000-0000-4000-8000-000000000001')
);
-- Lists the holders of a role by id, and finds the assignments of a deleted role.
create index user_roles_tenant_id_role_id_user_id_idx on user_roles (tenant_id, role_id, user_id);
-- Pages of assignments: of the tenant, and of a role.
create unique index user_roles_tenant_id_id_idx on user_roles (tenant_id, id);
create index user_roles_tenant_id_role_id_id_idx on user_roles (tenant_id, role_id, id);
-- Finds the next end and the next notice, in all tenants.
create index user_roles_expires_at_idx on user_roles (expires_at) where expires_at is not null;
create index user_roles_warn_at_idx on user_roles (warn_at) where warn_at is not null;

-- A role that a user may start for a time (elevations). It carries no permission by itself.
create table eligible_roles (
  tenant_id uuid not null,
  user_id bigint not null,
  role_id bigint not null,
  max_minutes integer not null check (max_minutes between 5 and 480),
  given_by bigint not null, -- As `assigned_by` of user_roles.
  given_by_tenant uuid,
  given_by_account bigint,
  given_at timestamptz not null,
  expires_at timestamptz, -- Null: it has no end.
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- Finds the users of a deleted role.
create index eligible_roles_tenant_id_role_id_user_id_idx on eligible_roles (tenant_id, role_id, user_id);
-- Finds the next end, in all tenants.
create index eligible_roles_expires_at_idx on eligible_roles (expires_at) where expires_at is not null;

-- A role that a session has for a time. It counts in this session alone (access/held-roles.sql.ts).
create table elevations (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null,
  account_id bigint not null,
  role_id bigint not null,
  session_id uuid not null,
  factor_ids uuid[] not null, -- The person's second factors at the start: it ends when one is removed.
  reason text not null check (char_length(reason) <= 500),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz, -- Null until its end is recorded.
  primary key (tenant_id, id)
);
create index elevations_tenant_id_user_id_id_idx on elevations (tenant_id, user_id, id);
create index elevations_session_id_idx on elevations (tenant_id, session_id) where ended_at is null;
-- Counts what a person starts in a day, in all tenants.
create index elevations_account_id_started_at_idx on elevations (account_id, started_at);
-- Finds the next end, in all tenants.
create index elevations_ends_at_idx on elevations (ends_at) where ended_at is null;
-- Finds those of an expired period.
create index elevations_tenant_id_ended_at_idx on elevations (tenant_id, ended_at) where ended_at is not null;

-- The operations of a tenant that need approvals (access/operations.ts). Every change of the tenant reads them.
create table approval_policies (
  tenant_id uuid not null,
  operation text not null,
  approvals integer not null check (approvals between 1 and 2),
  permission_codes text[] not null, -- Only for authority.give. Empty: every permission.
  break_glass boolean not null,
  primary key (tenant_id, operation)
);

-- A change that a caller asks for, until it is made.
create table approvals (
  tenant_id uuid not null,
  id bigint generated always as identity,
  requester_id bigint not null,
  requester_tenant uuid, -- Null: the tenant itself.
  requester_account bigint, -- Null for a service account.
  maker_accounts bigint[] not null default '{}', -- Of the people who made its keys. They decide nothing that it asks.
  requester_name text not null,
  operations text[] not null,
  approvals integer not null,
  method text not null,
  path text not null check (char_length(path) <= 2048),
  body jsonb, -- Secrets are keyed hashes.
  change jsonb not null,
  concerned bigint[] not null, -- The users whom the change concerns.
  reason text not null check (char_length(reason) <= 500),
  digest bytea not null,
  break_glass boolean not null,
  status text not null check (status in ('pending', 'approved', 'done', 'rejected', 'cancelled')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index approvals_requester_idx on approvals (tenant_id, requester_id, id);
-- Counts how often the glass was broken within an hour, and finds the approvals of an expired period.
create index approvals_created_at_idx on approvals (tenant_id, created_at);

create table approval_decisions (
  tenant_id uuid not null,
  approval_id bigint not null,
  user_id bigint not null,
  account_id bigint not null,
  username text not null,
  approve boolean not null,
  comment text not null check (char_length(comment) <= 500),
  decided_at timestamptz not null,
  primary key (tenant_id, approval_id, account_id),
  foreign key (tenant_id, approval_id) references approvals (tenant_id, id) on delete cascade
);

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

-- Somebody works as a user of the tenant (docs/contract.md, "Support sessions"). The actor is a user of this tenant or of
-- the built-in one. Every request reads this row, the actor's session and both users again (access/support.ts). There is
-- no foreign key: lists stay when a user goes.
create table support_sessions (
  tenant_id uuid not null,
  id uuid not null, -- Also the id of the session, in its tokens.
  user_id bigint not null,
  user_name text not null, -- Names are those of the time, as in audit records.
  account_id bigint not null,
  actor_tenant_id uuid not null,
  actor_id bigint not null,
  actor_account_id bigint not null,
  actor_name text not null,
  kind text not null check (kind in ('view', 'act')),
  reason text not null check (char_length(reason) <= 500),
  minutes integer not null check (minutes between 5 and 60),
  permissions text[] not null, -- The most that it may use. Each counts while the user holds it.
  status text not null check (status in ('waiting', 'ready', 'active', 'over', 'refused', 'expired')),
  decided_by bigint, -- The user of the tenant who allowed or refused it.
  decider_name text not null default '',
  decided_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null, -- It starts before.
  started_at timestamptz,
  ends_at timestamptz, -- Never moves.
  session_id uuid, -- The session of the actor on which it hangs. It has the proofs of that one.
  amr text[] not null default '{}',
  auth_time timestamptz,
  connection_id uuid,
  account_epoch integer, -- The user's at the start: it ends with all sessions of the user.
  ip text not null default '',
  user_agent text not null default '' check (char_length(user_agent) <= 512),
  last_used_at timestamptz,
  ended_at timestamptz,
  ended_by text not null default '' check (ended_by in ('', 'time', 'actor', 'user', 'tenant', 'authority')),
  primary key (tenant_id, id)
);
create index support_sessions_tenant_id_created_at_idx on support_sessions (tenant_id, created_at, id);
create index support_sessions_tenant_id_user_id_created_at_idx on support_sessions (tenant_id, user_id, created_at, id);
-- Finds what an actor asked for, in all tenants.
create index support_sessions_actor_account_id_created_at_idx on support_sessions (actor_account_id, created_at, id);
-- Finds the sessions of a person, in all tenants.
create index support_sessions_account_id_idx on support_sessions (account_id) where status = 'active';
-- The next ends, in all tenants.
create index support_sessions_ends_at_idx on support_sessions (ends_at) where status = 'active';

-- The requests of a support session, by endpoint.
create table support_requests (
  tenant_id uuid not null,
  support_id uuid not null,
  method text not null,
  path text not null, -- The template, without ids.
  count integer not null default 1,
  primary key (tenant_id, support_id, method, path),
  foreign key (tenant_id, support_id) references support_sessions (tenant_id, id) on delete cascade
);
