-- Creates sign-in by a customer's own provider: proved domains, connections, links to users, and directories.

-- Every verified domain. Its tenant is unique over all tenants, so the table belongs to the installation: a unique key
-- of a table of tenants contains the tenant.
create table domain_owners (
  domain text collate "C" primary key,
  owner_tenant_id uuid not null references tenants (id)
);
create index domain_owners_owner_tenant_id_idx on domain_owners (owner_tenant_id);

-- The tenant of each connection, which the address of a callback does not name; and the secret that its provider knows,
-- or the key of our requests by SAML, encrypted (crypto/secrets.ts). Without a tenant_id, because a rotation of secret keys rewrites those of all tenants.
create table connection_secrets (
  id uuid primary key,
  connection_tenant_id uuid not null,
  sealed bytea not null
);
create index connection_secrets_tenant_idx on connection_secrets (connection_tenant_id);

create table connections (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  type text not null check (type in ('oidc', 'saml')),
  name text not null check (char_length(name) between 1 and 64),
  status text not null default 'draft' check (status in ('draft', 'active', 'disabled')),
  config jsonb not null, -- The fields of the type: `OidcConfig` of sso/oidc.ts, or its sibling for SAML.
  jit boolean not null default true,
  default_role_ids bigint[] not null default '{}',
  trust_mfa boolean not null default false,
  session_seconds integer not null default 86400 check (session_seconds between 300 and 604800),
  application_id bigint, -- Null: the console. Without a reference, since the connection outlives the application.
  scim_account_id bigint, -- The service account of the directory. Without a reference, as above.
  tested_at timestamptz, -- The last successful test of the present fields.
  warn_at timestamptz, -- When managers hear of a certificate that ends. Null: never, or they were told.
  look_at timestamptz, -- When the metadata are read again. Null: they stand at no address.
  found_metadata text, -- Other metadata than those of the fields, which managers were told of; the next write takes them.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
-- A tenant has one directory.
create unique index connections_directory_key on connections (tenant_id) where scim_account_id is not null;
-- Maintenance looks for certificates that end.
create index connections_warn_at_idx on connections (warn_at) where warn_at is not null;
-- Maintenance reads metadata again.
create index connections_look_at_idx on connections (look_at) where look_at is not null;

create table domains (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  domain text collate "C" not null check (char_length(domain) between 3 and 253),
  token text not null, -- 128 random bits, which the TXT record shows.
  status text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  connection_id uuid, -- The connection that the domain leads to. Without a reference: the domain outlives it.
  created_at timestamptz not null,
  verified_at timestamptz,
  checked_at timestamptz,
  missing_since timestamptz, -- The first of the answers in a row that the record is not there.
  primary key (tenant_id, id),
  constraint domains_tenant_id_domain_key unique (tenant_id, domain)
);
-- Maintenance looks at verified domains again.
create index domains_checked_at_idx on domains (checked_at) where status = 'verified';

-- A way to a provider and back, which is spent once.
create table sso_attempts (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  interaction_id uuid not null,
  browser_hash bytea not null check (octet_length(browser_hash) = 32), -- SHA-256 of the cookie of the browser.
  is_test boolean not null, -- Shows what would happen, and signs nobody in.
  -- SHA-256 of `state`, or of the ID of a request of SAML: 256 random bits.
  state_hash bytea not null check (octet_length(state_hash) = 32),
  -- An answer that came by a foreign POST waits here for the browser: SHA-256 of its handle, and `Answer` of sso/answers.ts.
  handle_hash bytea check (octet_length(handle_hash) = 32),
  answer jsonb,
  spent_at timestamptz,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index sso_attempts_state_hash_idx on sso_attempts (tenant_id, state_hash);
create index sso_attempts_expires_at_idx on sso_attempts (expires_at);

-- Outcomes of attempts, for administrators: the last 200 of a connection, 30 days long.
create table sso_outcomes (
  tenant_id uuid not null,
  id bigint generated always as identity,
  connection_id uuid not null,
  at timestamptz not null,
  outcome text not null,
  reason text not null default '',
  subject text not null default '' check (char_length(subject) <= 255),
  email text not null default '' check (char_length(email) <= 254),
  claims jsonb not null default '[]', -- Names of claims, and values of those that the connection reads.
  ip text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index sso_outcomes_connection_id_idx on sso_outcomes (tenant_id, connection_id, id);
create index sso_outcomes_at_idx on sso_outcomes (at);

-- The persons that a connection knows. Whoever was linked is known by the subject, never by an address.
create table sso_links (
  tenant_id uuid not null,
  connection_id uuid not null,
  subject text collate "C" not null check (char_length(subject) between 1 and 255),
  user_id bigint not null,
  proof text not null, -- How the account was proved: created, only_here, password, passkey or link.
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (tenant_id, connection_id, subject),
  constraint sso_links_user_key unique (tenant_id, user_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Without a directory `group_name` is a value of the claim; with one it is the id of a group of the directory.
create table group_mappings (
  tenant_id uuid not null,
  connection_id uuid not null,
  group_name text collate "C" not null check (char_length(group_name) between 1 and 256),
  role_id bigint not null,
  primary key (tenant_id, connection_id, group_name, role_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

-- Break-glass users: they sign in without a connection where `auth.sso` is required.
create table sso_exemptions (
  tenant_id uuid not null,
  user_id bigint not null,
  account_id bigint not null, -- Of the user: a sign-in sees the exemptions of one account.
  created_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- Users that the directory of a tenant has pushed (RFC 7643). A person with an account elsewhere has no user until they prove it.
create table scim_users (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  user_id bigint,
  external_id text collate "C" check (char_length(external_id) <= 254),
  user_name text not null check (char_length(user_name) between 1 and 254),
  user_name_folded text collate "C" not null,
  email text not null,
  email_folded text collate "C" not null,
  display_name text not null default '',
  active boolean not null,
  name jsonb not null default '{}',
  emails jsonb not null default '[]',
  folded jsonb not null default '{}', -- Name, e-mails and extension, folded, for filters.
  extension jsonb not null default '{}' check (octet_length(extension::text) <= 8192), -- 4 KiB as it was sent.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint scim_users_user_name_key unique (tenant_id, user_name_folded),
  constraint scim_users_external_id_key unique (tenant_id, external_id),
  constraint scim_users_email_key unique (tenant_id, email_folded),
  constraint scim_users_user_id_key unique (tenant_id, user_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index scim_users_created_at_idx on scim_users (tenant_id, created_at, id);

create table scim_groups (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  external_id text collate "C" check (char_length(external_id) <= 254),
  display_name text not null check (char_length(display_name) between 1 and 256),
  display_name_folded text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint scim_groups_external_id_key unique (tenant_id, external_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index scim_groups_created_at_idx on scim_groups (tenant_id, created_at, id);
create index scim_groups_display_name_idx on scim_groups (tenant_id, display_name_folded);

create table scim_group_members (
  tenant_id uuid not null,
  group_id uuid not null,
  member_id uuid not null,
  primary key (tenant_id, group_id, member_id),
  foreign key (tenant_id, group_id) references scim_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, member_id) references scim_users (tenant_id, id) on delete cascade
);
create index scim_group_members_member_id_idx on scim_group_members (tenant_id, member_id);

-- The directory's switch. Null while it is on; else the status that administrators have set, and `status` is 0: so a user
-- is enabled while both are on, and every statement goes on reading `status` alone.
alter table users
  add column status_behind smallint,
  add constraint users_status_behind_check check (status_behind is null or (status_behind in (0, 1) and status = 0));

-- sso: given by a group of a provider or directory, and made equal to it.
alter table user_roles
  add column source text not null default 'hand' check (source in ('hand', 'sso'));

-- A session that a connection opened reaches the tenant of the connection alone.
alter table sessions
  add column connection_id uuid; -- Null: not by a connection. Without a reference, since ending it queues logout tokens.
create index sessions_connection_id_idx on sessions (tenant_id, connection_id) where connection_id is not null;
alter table sign_ins
  add column connection_id uuid,
  add column connection_tenant_id uuid,
  add column latest_expires_at timestamptz, -- `session_seconds` of the connection after the proofs.
  add constraint sign_ins_connection_check check (num_nonnulls(connection_id, connection_tenant_id, latest_expires_at) in (0, 3));
create index sign_ins_connection_id_idx on sign_ins (connection_id) where connection_id is not null;

-- A link that proves an account before it is linked counts in the browser of its interaction alone.
alter table account_links
  add column interaction_id uuid,
  drop constraint account_links_kind_check,
  add constraint account_links_kind_check check (kind in ('reset', 'verification', 'change', 'proof')),
  add constraint account_links_proof_check check ((kind = 'proof') = (interaction_id is not null));
