-- Creates the front door: applications and resources, the sign-ins of browsers, and the steps from an authorization to
-- a session. Only consent belongs to a tenant. All other rows belong to the installation or to an account.

create table applications (
  id bigint generated always as identity primary key,
  client_id text collate "C" not null constraint applications_client_id_key unique check (char_length(client_id) <= 512),
  -- managed: by an administrator; registered: by itself; document: its client_id is the address of its metadata.
  origin text not null default 'managed' check (origin in ('managed', 'registered', 'document')),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text not null,
  kind text not null check (kind in ('web', 'browser', 'native')),
  is_third_party boolean not null,
  status smallint not null default 1 check (status in (0, 1)),
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null default '{}',
  backchannel_logout_uri text not null default '',
  allowed_origins text[] not null default '{}',
  grant_types text[] not null,
  resource_ids bigint[] not null default '{}',
  require_mfa boolean not null default false,
  session_seconds integer not null default 604800 check (session_seconds between 300 and 7776000),
  tenant_ids uuid[], -- Null: the people of every tenant.
  required_permission text, -- A code. Null: the users of a tenant need none.
  tenantry_api boolean not null default false,
  logo text not null default '',
  home_url text not null default '',
  support_uri text not null default '', -- The page that begins and ends the way of a support session. Empty: none.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_session_at timestamptz, -- For a registered application: it is deleted 30 days after this.
  document_until timestamptz, -- For a document: the service fetches it again after this time.
  constraint applications_foreign_check check (origin = 'managed' or (is_third_party and kind = 'native')),
  constraint applications_api_check check (not (is_third_party and tenantry_api))
);

create table application_secrets (
  id uuid primary key,
  application_id bigint not null references applications (id) on delete cascade,
  -- SHA-256 of the secret. It has 256 random bits, so that a slow hash would add nothing.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz
);
create index application_secrets_application_id_idx on application_secrets (application_id);

create table resources (
  id bigint generated always as identity primary key,
  identifier text not null check (char_length(identifier) <= 512), -- The registered text, which is `aud`.
  -- The identifier with scheme and host in lower case, and an empty path as "/".
  identifier_folded text collate "C" not null constraint resources_identifier_key unique,
  name text not null check (char_length(name) between 1 and 64),
  permission_ids integer[] not null,
  allow_unregistered boolean not null default false,
  -- The resource of assistants. The service makes it, and nobody changes it.
  is_built_in boolean not null default false,
  created_at timestamptz not null
);

create unique index resources_is_built_in_key on resources (is_built_in) where is_built_in;

-- A person's sign-in in a browser, independent of tenants. Sessions of applications depend on it.
create table sign_ins (
  id uuid primary key,
  -- SHA-256 of the cookie, which has 256 random bits. Every proof makes a new one.
  cookie_hash bytea not null constraint sign_ins_cookie_hash_key unique check (octet_length(cookie_hash) = 32),
  account_id bigint not null references accounts (id) on delete cascade,
  account_epoch integer not null, -- The sign-in is valid while this equals `session_epoch` of accounts.
  amr text[] not null,
  auth_time timestamptz not null, -- The time of the last proofs.
  tenant_ids uuid[] not null default '{}', -- The tenants that it has entered, the present one last.
  ip text not null default '',
  user_agent text not null default '' check (char_length(user_agent) <= 512),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null -- 7 days after its last use, and at most 30 after its proofs.
);
create index sign_ins_account_id_idx on sign_ins (account_id);
create index sign_ins_expires_at_idx on sign_ins (expires_at);

-- An authorization that waits for a person.
create table interactions (
  id uuid primary key,
  browser_hash bytea not null check (octet_length(browser_hash) = 32), -- SHA-256 of the browser's cookie.
  request jsonb not null, -- The valid request: `AuthorizationRequest` of oauth/request/authorization-request.ts.
  progress jsonb not null default '{}', -- The answers so far: `Progress` of oauth/interaction/interaction-progress.ts.
  -- Counts the changes of the progress. Of two simultaneous changes the second fails.
  version integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index interactions_expires_at_idx on interactions (expires_at);

-- A used code keeps its row for an hour. Its second use ends the session that the first one created.
create table authorization_codes (
  -- SHA-256 of the code, which has 256 random bits.
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  application_id bigint references applications (id) on delete cascade, -- Null: the console.
  sign_in_id uuid not null references sign_ins (id) on delete cascade,
  request jsonb not null, -- `AuthorizationRequest`.
  admission jsonb not null, -- `Admission` of oauth/request/authorization-request.ts.
  expires_at timestamptz not null,
  used_at timestamptz,
  session_tenant uuid, -- The session that the code created.
  session_id uuid
);
create index authorization_codes_sign_in_id_idx on authorization_codes (sign_in_id);
create index authorization_codes_expires_at_idx on authorization_codes (expires_at);

create table device_codes (
  -- SHA-256 of the code, which has 256 random bits.
  device_hash bytea primary key check (octet_length(device_hash) = 32),
  user_code text collate "C" not null constraint device_codes_user_code_key unique,
  application_id bigint not null references applications (id) on delete cascade,
  request jsonb not null, -- `AuthorizationRequest`.
  ip text not null,
  user_agent text not null,
  admission jsonb, -- Null until the person has decided; 'null' if they refused.
  polled_at timestamptz,
  interval_seconds smallint not null default 5,
  expires_at timestamptz not null
);
create index device_codes_expires_at_idx on device_codes (expires_at);

-- A person's consent to an application of a third party.
create table grants (
  tenant_id uuid not null,
  id bigint generated always as identity,
  user_id bigint not null,
  application_id bigint not null references applications (id) on delete cascade,
  resource_id bigint not null default 0, -- 0: no resource.
  host text not null, -- The host of the redirect address.
  scopes text[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  constraint grants_subject_key unique (tenant_id, user_id, application_id, resource_id, host)
);
create index grants_application_id_idx on grants (application_id, tenant_id, id);
create index grants_resource_id_idx on grants (resource_id) where resource_id <> 0;

-- Logout tokens that wait to be sent. A replica that takes one moves `next_attempt_at` into the future.
create table logout_queue (
  id uuid primary key default gen_random_uuid(),
  uri text not null,
  client_id text collate "C" not null,
  session_tenant uuid not null,
  user_id bigint not null,
  session_id uuid not null,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now()
);
-- Sending takes a few tokens of each client, so that a slow client delays no other.
create index logout_queue_client_id_idx on logout_queue (client_id, next_attempt_at);
create index logout_queue_next_attempt_at_idx on logout_queue (next_attempt_at);

-- The limits of an application's session.
alter table sessions
  -- Null: a session of the console or the SDK.
  add column application_id bigint references applications (id) on delete cascade,
  add column resource_id bigint references resources (id) on delete cascade,
  add column grant_id bigint,
  add column scopes text[] not null default '{}',
  -- Of the permissions that the user holds, only these count. Null: all.
  add column narrowed_codes text[],
  add column auth_time timestamptz,
  add column begun_in uuid, -- The browser's sign-in in which it began; null for a device.
  add column is_offline boolean not null default false; -- The session outlives the browser's sign-in.
create index sessions_application_id_idx on sessions (application_id) where application_id is not null;
create index sessions_resource_id_idx on sessions (resource_id) where resource_id is not null;

-- The openings of products by a support session: a code, and the session that comes of it. It has no foreign keys: each
-- read joins application, resource and support session (access/support.store.ts).
create table support_openings (
  tenant_id uuid not null,
  id uuid not null, -- Also the id of the session, in its tokens.
  support_id uuid not null,
  application_id bigint not null,
  code_hash bytea not null check (octet_length(code_hash) = 32), -- SHA-256 of the code, which has 256 random bits.
  code_challenge text not null,
  code_until timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz,
  scopes text[] not null default '{}',
  narrowed_codes text[], -- Null: no scope and no resource narrows it.
  resource_id bigint,
  primary key (tenant_id, id),
  constraint support_openings_tenant_id_code_hash_key unique (tenant_id, code_hash),
  foreign key (tenant_id, support_id) references support_sessions (tenant_id, id) on delete cascade
);
create index support_openings_tenant_id_support_id_idx on support_openings (tenant_id, support_id);
