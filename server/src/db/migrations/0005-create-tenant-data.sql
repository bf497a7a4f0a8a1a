-- Creates the settings of a tenant, its notifications, its invitations, and its days on the dashboard.

create table tenant_settings (
  tenant_id uuid not null references tenants (id),
  key text collate "C" not null check (char_length(key) between 1 and 128),
  value jsonb not null,
  version integer not null default 1,
  -- The declaration refuses the value, which then has no effect.
  is_invalid boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, key)
);
-- A declaration reads the values of its key in all tenants.
create index tenant_settings_key_tenant_id_idx on tenant_settings (key, tenant_id);
create index tenant_settings_invalid_idx on tenant_settings (key) where is_invalid;

-- Like global_setting_versions.
create table tenant_setting_versions (
  tenant_id uuid not null,
  key text collate "C" not null,
  version integer not null check (version > 0),
  value jsonb,
  is_deleted boolean not null,
  changed_by bigint not null, -- A user of this tenant, or of the built-in one.
  changed_at timestamptz not null,
  reverted_from integer,
  primary key (tenant_id, key, version)
);
create index tenant_setting_versions_key_idx on tenant_setting_versions (key);
create index tenant_setting_versions_changed_at_idx on tenant_setting_versions (changed_at) where not is_deleted;

-- Like global_setting_secrets. A secret is bound to its row's id.
create table tenant_setting_secrets (
  tenant_id uuid not null,
  key text collate "C" not null,
  id text not null,
  sealed bytea not null,
  version integer not null,
  updated_at timestamptz not null,
  primary key (tenant_id, key),
  constraint tenant_setting_secrets_id_check check (id = tenant_id || ' ' || key)
);
create index tenant_setting_secrets_key_idx on tenant_setting_secrets (key);

-- The first read of a secret by a service account in an hour writes an audit record.
create table setting_secret_reads (
  tenant_id uuid not null,
  account_id bigint not null, -- A service account of the built-in tenant.
  key text collate "C" not null,
  read_at timestamptz not null,
  primary key (tenant_id, account_id, key)
);

create table user_settings (
  tenant_id uuid not null,
  user_id bigint not null,
  key text collate "C" not null,
  value jsonb not null,
  is_invalid boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_settings_key_idx on user_settings (key, tenant_id, user_id);
create index user_settings_invalid_idx on user_settings (key) where is_invalid;

create table notifications (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null default 'info' check (type in ('info', 'success', 'warning', 'error')),
  sender text not null default '', -- The sender's name at that time.
  is_read boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- A user's notifications, newest first.
create index notifications_tenant_id_user_id_id_idx on notifications (tenant_id, user_id, id);
-- Serves the unread count, the list of unread notifications, and marking all read.
create index notifications_unread_idx on notifications (tenant_id, user_id, id) where not is_read;

-- A sending stores its sender and its progress, so that an interrupted broadcast continues (decision 0103).
create table sendings (
  tenant_id uuid not null,
  id bigint generated always as identity,
  sender_tenant_id uuid not null, -- A user or a service account, perhaps of another tenant. It may be deleted.
  sender_id bigint not null,
  user_id bigint, -- One recipient, or the holders of a role. Both are null for everyone.
  role_id bigint,
  recipient text not null, -- The name of the recipient or the role at that time.
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null check (type in ('info', 'success', 'warning', 'error')),
  total bigint not null,
  sent bigint not null,
  -- The last user that got it, and the last user that is to get it. Users created later do not.
  position bigint not null,
  last_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  check (num_nonnulls(user_id, role_id) < 2)
);
create index sendings_sender_idx on sendings (tenant_id, sender_tenant_id, sender_id, id);
create index sendings_user_id_idx on sendings (tenant_id, user_id) where user_id is not null;
create index sendings_created_at_idx on sendings (created_at);

-- Invitations, by which people become users of a tenant (decision 0105).
create table invitations (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  email text not null,
  email_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  role_ids bigint[] not null default '{}',
  -- The inviter, a user or service account. It has no reference, because the invitation can outlive it.
  inviter_tenant_id uuid not null,
  invited_by bigint not null, -- 0: the operator, by an import.
  is_founding boolean not null default false, -- Made with the tenant, for its first administrator.
  -- SHA-256 of the token, which names the tenant and has 256 random bits. Null for a closed invitation.
  token_hash bytea check (octet_length(token_hash) = 32),
  is_mailed boolean not null, -- The link was mailed. A link shown on the screen proves no mailbox.
  sent_on date not null, -- The UTC day of the last link, and the number of links on that day.
  sent_count integer not null default 1,
  -- A pending invitation is expired from `expires_at` on, even while its row says pending.
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (tenant_id, id),
  constraint invitations_closed_check check ((status = 'pending') = (closed_at is null)),
  constraint invitations_token_check check (status = 'pending' or token_hash is null)
);
-- An address has at most one open invitation in a tenant.
create unique index invitations_open_key on invitations (tenant_id, email_folded) where status = 'pending';
create index invitations_tenant_id_token_hash_idx on invitations (tenant_id, token_hash) where token_hash is not null;
-- The invitations of a person in all tenants, for the export of their personal data.
create index invitations_email_folded_idx on invitations (email_folded, tenant_id, id);
create index invitations_tenant_id_sent_on_idx on invitations (tenant_id, sent_on);

-- A past UTC day on the dashboard. Maintenance writes it once (decision 0083).
create table tenant_days (
  tenant_id uuid not null references tenants (id),
  day date not null,
  users bigint not null, -- Counts at the end of the day.
  roles bigint not null,
  tenants bigint not null, -- The tenants of the installation, in the row of the built-in tenant; 1 in every other row.
  sign_ups bigint not null, -- Counts during the day.
  active_users bigint not null,
  primary key (tenant_id, day)
);
