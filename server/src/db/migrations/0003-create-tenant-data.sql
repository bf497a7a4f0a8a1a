-- Creates what belongs to a tenant. tenant_id is the first column of every primary, unique and foreign key: the tenant of a
-- reference cannot differ from the tenant of its row, and the tables can be distributed by it. Row-level security: 0005.

create table users (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  account_id bigint not null,
  email text not null,
  username text not null,
  username_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  avatar text not null default '',
  -- username, e-mail and nickname, folded, one per line: keywords are searched in it.
  search_folded text collate "C" not null,
  status smallint not null default 1 check (status in (0, 1)),
  last_login_at timestamptz,
  -- The last UTC day the user was seen on, written once a user and day; and the day before that.
  last_seen_on date,
  previously_seen_on date,
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
-- The list of disabled users, in the order of their ids; enabled ones are most, and are found along the key.
create index users_disabled_idx on users (tenant_id, id) where status = 0;
-- The dashboard's day: users created, and users seen.
create index users_tenant_id_created_at_idx on users (tenant_id, created_at);
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
  -- docs/contract.md, "Roles and permissions": platform-only permissions exist only in the built-in tenant's roles.
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
-- The holders of a role, by id; and the assignments that go when a role is deleted.
create index user_roles_tenant_id_role_id_user_id_idx on user_roles (tenant_id, role_id, user_id);

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id bigint not null,
  -- The generation of the refresh token that is alive: each refresh adds one (sessions.service.ts).
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
-- The unread count, the list of the unread, and marking all read.
create index notifications_unread_idx on notifications (tenant_id, user_id, id) where not is_read;

-- A UTC day that is over, as the dashboard shows it; written once, by maintenance (decision 0085).
create table tenant_days (
  tenant_id uuid not null references tenants (id),
  day date not null,
  -- The counts at the end of the day.
  users bigint not null,
  roles bigint not null,
  -- The tenants of the installation, in the row of the built-in tenant; 1 in every other row.
  tenants bigint not null,
  -- During the day.
  sign_ups bigint not null,
  active_users bigint not null,
  primary key (tenant_id, day)
);
