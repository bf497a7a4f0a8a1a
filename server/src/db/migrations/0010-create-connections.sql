-- Creates sign-in by a customer's own provider: proved domains, connections, links to users, and directories. Also
-- creates the providers of the installation, by which people of every tenant sign in.

-- The tenant of every verified domain. A domain is unique over all tenants. The table belongs to the installation,
-- because a unique key of a tenant-bound table would contain the tenant.
create table domain_owners (
  domain text collate "C" primary key,
  owner_tenant_id uuid not null references tenants (id)
);
create index domain_owners_owner_tenant_id_idx on domain_owners (owner_tenant_id);

-- The tenant of each connection, which a callback's address does not name. Also its encrypted secret
-- (crypto/secrets.ts): the one that its provider knows, or the key of our SAML requests. It has no tenant_id, because
-- a rotation of secret keys rewrites those of all tenants.
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
  attributes jsonb not null default '[]', -- The claims that fill attributes of users.
  application_id bigint, -- Null: the console. It has no reference, because the connection can outlive the application.
  scim_account_id bigint, -- The service account of the directory. No reference, as above.
  directory_error text not null default '', -- Why the last refused change of the directory was refused.
  directory_error_at timestamptz,
  tested_at timestamptz, -- The last successful test of the present fields.
  warn_at timestamptz, -- When managers get a warning about an expiring certificate. Null: never, or they got it.
  look_at timestamptz, -- When maintenance reads the metadata again. Null: they have no address.
  found_metadata text, -- Metadata that differ from the fields. Managers got a notice, and the next write takes them.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
-- A tenant has at most one directory.
create unique index connections_directory_key on connections (tenant_id) where scim_account_id is not null;
-- Maintenance finds expiring certificates.
create index connections_warn_at_idx on connections (warn_at) where warn_at is not null;
-- Maintenance reads metadata again.
create index connections_look_at_idx on connections (look_at) where look_at is not null;

create table domains (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  domain text collate "C" not null check (char_length(domain) between 3 and 253),
  token text not null, -- 128 random bits that the TXT record must show.
  status text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  -- The connection for the domain's sign-ins. It has no reference, because the domain can outlive it.
  connection_id uuid,
  created_at timestamptz not null,
  verified_at timestamptz,
  checked_at timestamptz,
  missing_since timestamptz, -- The time of the first answer without the record, in an unbroken series of them.
  primary key (tenant_id, id),
  constraint domains_tenant_id_domain_key unique (tenant_id, domain)
);
-- Maintenance checks verified domains again.
create index domains_checked_at_idx on domains (checked_at) where status = 'verified';

-- One round trip to a provider. It ends with its first answer.
create table sso_attempts (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  interaction_id uuid not null,
  browser_hash bytea not null check (octet_length(browser_hash) = 32), -- SHA-256 of the browser's cookie.
  is_test boolean not null, -- Shows the outcome, and signs nobody in.
  -- SHA-256 of `state`, or of a SAML request's ID: 256 random bits.
  state_hash bytea not null check (octet_length(state_hash) = 32),
  -- An answer by a cross-site POST waits here for the browser: SHA-256 of its handle, and `Answer` of sso/answers.ts.
  handle_hash bytea check (octet_length(handle_hash) = 32),
  answer jsonb,
  spent_at timestamptz,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index sso_attempts_state_hash_idx on sso_attempts (tenant_id, state_hash);
create index sso_attempts_test_idx on sso_attempts (tenant_id, interaction_id) where is_test;
create index sso_attempts_expires_at_idx on sso_attempts (expires_at);

-- Outcomes of attempts, for administrators: the last 200 of a connection, for 30 days.
create table sso_outcomes (
  tenant_id uuid not null,
  id bigint generated always as identity,
  connection_id uuid not null,
  at timestamptz not null,
  outcome text not null,
  reason text not null default '',
  -- Of a test: its interaction, which is the setup link if a guest began it.
  test_id uuid,
  subject text not null default '' check (char_length(subject) <= 255),
  email text not null default '' check (char_length(email) <= 254),
  claims jsonb not null default '[]', -- Names of claims, and the values of those that the connection reads.
  ip text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);
create index sso_outcomes_connection_id_idx on sso_outcomes (tenant_id, connection_id, id);
create index sso_outcomes_at_idx on sso_outcomes (at);

-- The persons that a connection knows. The subject identifies a linked person, never an address.
create table sso_links (
  tenant_id uuid not null,
  connection_id uuid not null,
  subject text collate "C" not null check (char_length(subject) between 1 and 255),
  user_id bigint not null,
  proof text not null, -- The proof of the account: created, only_here, password, passkey or link.
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (tenant_id, connection_id, subject),
  constraint sso_links_user_key unique (tenant_id, user_id, connection_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- `group_name` is the id of a directory's group. Without a directory it is a value of the claim.
create table group_mappings (
  tenant_id uuid not null,
  connection_id uuid not null,
  group_name text collate "C" not null check (char_length(group_name) between 1 and 256),
  role_id bigint not null,
  primary key (tenant_id, connection_id, group_name, role_id),
  foreign key (tenant_id, connection_id) references connections (tenant_id, id) on delete cascade
);

-- Links by which guests without an account set up sign-in for the tenant.
create table setup_links (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  email text not null,
  token_hash bytea not null check (octet_length(token_hash) = 32), -- As in invitations.
  parts text[] not null, -- Of domains, connection and directory.
  role_ids bigint[] not null default '{}', -- The roles that guests may map groups to.
  may_activate boolean not null,
  -- The user or service account whose rank counts for guests. It has no reference, because the link can outlive it.
  maker_tenant_id uuid not null,
  created_by bigint not null,
  -- The one connection of the guests. It has no reference, because it can end first.
  connection_id uuid,
  is_own_connection boolean not null default false, -- A guest created it.
  -- The service account that a guest created for the directory, and its role.
  scim_account_id bigint,
  scim_role_id bigint,
  activated_at timestamptz, -- When the connection became active. From then on it stays.
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz, -- Set with the removal of what guests created. An expired link has ended before that.
  primary key (tenant_id, id)
);
create index setup_links_token_hash_idx on setup_links (tenant_id, token_hash);
create index setup_links_scim_account_id_idx on setup_links (tenant_id, scim_account_id) where scim_account_id is not null;
-- Maintenance ends links, and deletes old ones.
create index setup_links_unended_idx on setup_links (expires_at, id) where ended_at is null;
create index setup_links_expires_at_idx on setup_links (expires_at);

-- Tokens of guests.
create table setup_guests (
  tenant_id uuid not null,
  token_hash bytea not null check (octet_length(token_hash) = 32), -- SHA-256 of the token, which has 256 random bits.
  link_id uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, link_id) references setup_links (tenant_id, id) on delete cascade
);
create index setup_guests_link_id_idx on setup_guests (tenant_id, link_id);
create index setup_guests_expires_at_idx on setup_guests (expires_at);

-- Break-glass users. They sign in without a connection where `auth.sso` is required.
create table sso_exemptions (
  tenant_id uuid not null,
  user_id bigint not null,
  account_id bigint not null, -- The user's account, because a sign-in sees the exemptions of one account.
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
  texts jsonb not null default '{}', -- Texts that are kept only because they fill attributes, by their paths.
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

-- Null while the directory has the user enabled. Otherwise `status` is 0, and this is the status that administrators
-- have set. So a user is enabled only if both permit it, and every statement still reads only `status`.
alter table users
  add column status_behind smallint,
  add constraint users_status_behind_check check (status_behind is null or (status_behind in (0, 1) and status = 0));

-- A session that a connection opened reaches only the connection's tenant.
alter table sessions
  -- Null: not by a connection. It has no reference, because ending the session queues logout tokens.
  add column connection_id uuid;
create index sessions_connection_id_idx on sessions (tenant_id, connection_id) where connection_id is not null;
alter table sign_ins
  add column connection_id uuid,
  add column connection_tenant_id uuid,
  add column latest_expires_at timestamptz, -- `session_seconds` of the connection after the proofs.
  add constraint sign_ins_connection_check check (num_nonnulls(connection_id, connection_tenant_id, latest_expires_at) in (0, 3));
create index sign_ins_connection_id_idx on sign_ins (connection_id) where connection_id is not null;

-- A link that proves an account before it is linked, or the address of a person without an account. It is valid only in
-- the browser of its interaction.
alter table account_links
  add column interaction_id uuid,
  drop constraint account_links_kind_check,
  add constraint account_links_kind_check check (kind in ('reset', 'verification', 'change', 'proof')),
  add constraint account_links_account_check check (account_id is not null or kind = 'proof'),
  add constraint account_links_proof_check check ((kind = 'proof') = (interaction_id is not null));

-- A provider of the installation proves an account, as a password does. It belongs to no tenant.
create table providers (
  id uuid primary key,
  slug text collate "C" not null constraint providers_slug_key unique check (slug ~ '^[a-z0-9-]{1,32}$'),
  kind text not null check (kind in ('google', 'microsoft', 'apple', 'github', 'oidc')),
  name text not null check (char_length(name) between 1 and 64),
  status text not null default 'draft' check (status in ('draft', 'active', 'disabled')),
  config jsonb not null, -- `ProviderConfig` of providers/provider-config.ts.
  sealed bytea not null, -- The client's secret (crypto/secrets.ts).
  allow_new boolean not null,
  tested_at timestamptz, -- The last successful test of the present fields.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz
);

-- The persons of a provider whose accounts are known here. The subject identifies a person, never an address.
create table identities (
  id uuid primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  provider_id uuid not null references providers (id) on delete cascade,
  subject text collate "C" not null check (char_length(subject) between 1 and 255),
  label text not null check (char_length(label) <= 254), -- The address or login at the provider, for the person.
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- A subject belongs to one account.
  constraint identities_subject_key unique (provider_id, subject)
);
create index identities_account_id_idx on identities (account_id);

-- One round trip to a provider, or an address that begins one. It ends with its first use.
create table provider_attempts (
  state_hash bytea primary key check (octet_length(state_hash) = 32), -- SHA-256 of `state`, or of the address's ticket.
  provider_id uuid not null references providers (id) on delete cascade,
  browser_hash bytea not null check (octet_length(browser_hash) = 32), -- SHA-256 of the browser's cookie.
  purpose text not null check (purpose in ('sign_in', 'add', 'test')),
  interaction_id uuid, -- Of a sign-in.
  account_id bigint references accounts (id) on delete cascade, -- Of the session that adds an identity.
  session_id uuid,
  -- An answer by a cross-site POST waits here for the browser: SHA-256 of its handle, and its parameters.
  handle_hash bytea check (octet_length(handle_hash) = 32),
  answer text,
  expires_at timestamptz not null,
  check ((purpose = 'sign_in') = (interaction_id is not null)),
  check ((purpose = 'add') = (session_id is not null and account_id is not null))
);
create index provider_attempts_account_id_idx on provider_attempts (account_id) where account_id is not null;
create index provider_attempts_provider_id_idx on provider_attempts (provider_id);
create index provider_attempts_expires_at_idx on provider_attempts (expires_at);
create index identities_provider_id_idx on identities (provider_id, id);
