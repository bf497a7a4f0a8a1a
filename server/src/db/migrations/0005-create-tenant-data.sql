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

-- Values of attributes. `folded` is the value as filters compare it: null unless the attribute is indexed. A value that
-- the schema refuses (`is_invalid`) has no effect.
create table user_attributes (
  tenant_id uuid not null,
  user_id bigint not null,
  key text collate "C" not null,
  value jsonb not null,
  folded text collate "C",
  is_invalid boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_attributes_folded_idx on user_attributes (tenant_id, key, folded, user_id) where folded is not null;
create index user_attributes_key_idx on user_attributes (key, tenant_id, user_id);

create table tenant_attributes (
  tenant_id uuid not null references tenants (id),
  key text collate "C" not null,
  value jsonb not null,
  folded text collate "C",
  is_invalid boolean not null default false,
  updated_at timestamptz not null,
  primary key (tenant_id, key)
);
create index tenant_attributes_folded_idx on tenant_attributes (key, folded, tenant_id) where folded is not null;

create table notifications (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null default 'info' check (type in ('info', 'success', 'warning', 'error')),
  sender text not null default '', -- The sender's name at that time.
  about text not null default '', -- The trouble that the service reports, such as `webhook 7`.
  is_read boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- A user's notifications, newest first.
create index notifications_tenant_id_user_id_id_idx on notifications (tenant_id, user_id, id);
-- Serves the unread count, the list of unread notifications, and marking all read.
create index notifications_unread_idx on notifications (tenant_id, user_id, id) where not is_read;
-- Serves marking notices as read when their trouble is over.
create index notifications_about_idx on notifications (tenant_id, about) where about <> '' and not is_read;

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
  roles_expire_at timestamptz, -- The end of the roles that the person gets. Null: they have none.
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

-- The notice that a number nears its limit (1) or has reached it (2). The row goes once the number is below 80 %.
create table limit_notices (
  tenant_id uuid not null,
  name text not null, -- Of the limit.
  level smallint not null check (level in (1, 2)),
  primary key (tenant_id, name)
);

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

-- Access reviews: people decide whether others keep what they hold.
create table reviews (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 128),
  kinds text[] not null,
  reviewer_ids bigint[] not null, -- Users of the tenant. They have no references, because the review can outlive them.
  due_at timestamptz not null, -- From then on it is closed, before maintenance has noted it.
  created_by bigint not null, -- A user of this tenant, or of the built-in one, with the name of that time.
  created_by_name text not null,
  created_at timestamptz not null,
  -- The number of items of each outcome. A change of an outcome locks this row.
  counts jsonb not null default '{}',
  closed_at timestamptz,
  report_sha256 text not null default '',
  primary key (tenant_id, id)
);
-- The next review to close, in all tenants.
create index reviews_due_at_idx on reviews (due_at) where closed_at is null;

-- The objects of a review as they were at its beginning. Names stay, so that the report has the same bytes later.
create table review_items (
  tenant_id uuid not null,
  review_id bigint not null, -- Without a reference: the check of 100,000 rows would take a second.
  id bigint generated always as identity,
  kind text not null check (kind in ('roles', 'keys', 'grants')),
  source text not null, -- As in user_roles; or eligible, or consent.
  subject_id bigint not null, -- A user or service account.
  subject_name text not null,
  subject_type text not null,
  subject_account bigint, -- The user's account: nobody decides about their own person.
  what_id bigint not null, -- A role, key or application.
  what_name text not null,
  given_by bigint not null, -- As `assigned_by` of user_roles.
  given_by_tenant uuid,
  given_by_name text not null,
  given_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  object_id bigint not null, -- The assignment, key or consent; 0 for an eligibility.
  state text not null, -- Its fields that a decision is about. Another state is asked anew.
  -- The reviewers that were told of the present state, if it is not that of the beginning.
  told bigint[] not null default '{}',
  outcome text not null default 'pending'
    check (outcome in ('pending', 'kept', 'revoked', 'gone', 'changed', 'refused', 'directory')),
  decision text not null default '' check (decision in ('', 'keep', 'revoke')),
  decided_by bigint not null default 0,
  decided_by_name text not null default '',
  decided_at timestamptz,
  comment text not null default '' check (char_length(comment) <= 500),
  primary key (tenant_id, review_id, id)
);
