-- Creates the settings of a tenant, its notifications, its invitations, and its days on the dashboard.

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
  sender text not null default '', -- A name as it was.
  is_read boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
-- A user's notifications, newest first.
create index notifications_tenant_id_user_id_id_idx on notifications (tenant_id, user_id, id);
-- The unread count, the list of the unread, and marking all read.
create index notifications_unread_idx on notifications (tenant_id, user_id, id) where not is_read;

-- A sending notes its sender and how far it came, so that a broadcast goes on where it stopped (decision 0123).
create table sendings (
  tenant_id uuid not null,
  id bigint generated always as identity,
  sender_tenant_id uuid not null, -- A user or a service account, perhaps of another tenant. It may be gone.
  sender_id bigint not null,
  user_id bigint, -- One recipient, the holders of a role, or everyone where both are null.
  role_id bigint,
  recipient text not null, -- The name of the recipient or the role at that time.
  title text not null check (char_length(title) between 1 and 200),
  content text not null default '' check (char_length(content) <= 10000),
  type text not null check (type in ('info', 'success', 'warning', 'error')),
  total bigint not null,
  sent bigint not null,
  position bigint not null, -- The last user that got it, and the last one that is to get it: users created later do not.
  last_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  check (num_nonnulls(user_id, role_id) < 2)
);
create index sendings_sender_idx on sendings (tenant_id, sender_tenant_id, sender_id, id);
create index sendings_user_id_idx on sendings (tenant_id, user_id) where user_id is not null;
create index sendings_created_at_idx on sendings (created_at);

-- How people become users of a tenant (decision 0105).
create table invitations (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  email text not null,
  email_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  role_ids bigint[] not null default '{}',
  -- The inviter, a user or service account: without a reference, since the invitation outlives them.
  inviter_tenant_id uuid not null,
  invited_by bigint not null, -- 0: the operator, by an import.
  -- SHA-256 of the token, which names the tenant and has 256 random bits. A closed invitation has none.
  token_hash bytea check (octet_length(token_hash) = 32),
  is_mailed boolean not null, -- Whether the link was mailed. A link that was shown proves no mailbox.
  sent_on date not null, -- The UTC day of the last link, and the number of links on it.
  sent_count integer not null default 1,
  -- A pending invitation is expired from `expires_at` on, also while its row says pending.
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  primary key (tenant_id, id),
  constraint invitations_closed_check check ((status = 'pending') = (closed_at is null)),
  constraint invitations_token_check check (status = 'pending' or token_hash is null)
);
-- An address has one open invitation in a tenant.
create unique index invitations_open_key on invitations (tenant_id, email_folded) where status = 'pending';
create index invitations_tenant_id_token_hash_idx on invitations (tenant_id, token_hash) where token_hash is not null;
create index invitations_tenant_id_sent_on_idx on invitations (tenant_id, sent_on);

-- A UTC day that is over, as the dashboard shows it; written once, by maintenance (decision 0085).
create table tenant_days (
  tenant_id uuid not null references tenants (id),
  day date not null,
  users bigint not null, -- The counts at the end of the day.
  roles bigint not null,
  tenants bigint not null, -- The tenants of the installation, in the row of the built-in tenant; 1 in every other row.
  sign_ups bigint not null, -- During the day.
  active_users bigint not null,
  primary key (tenant_id, day)
);
