-- Creates the tables of the whole installation. They have no tenant_id, and few rows or none that belong to a tenant.
--
-- Text for comparison without case has a copy that the service folds, in a *_folded column with the "C" collation.
-- That collation compares alike on every engine and locale. Its comparison is leakproof, so that row-level security
-- may use its index.
--
-- The last migration secures the rows of all tables by policies and grants.

create table tenants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 128),
  slug text collate "C" not null check (char_length(slug) between 1 and 64),
  status smallint not null default 1 check (status in (0, 1)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz, -- Set for a removed tenant. Requests no longer reach it, and maintenance deletes its rows.
  -- Audit records up to this id came with an import of the tenant. No hook delivers them.
  imported_to bigint not null default 0,
  -- The account that created the tenant by sign-up. It has no reference, because the tenant can outlive it.
  founder_account_id bigint
);
create index tenants_founder_account_id_idx on tenants (founder_account_id) where founder_account_id is not null;
-- A limit counts the sign-ups of the last hour.
create index tenants_founded_idx on tenants (created_at) where founder_account_id is not null;
create unique index tenants_slug_key on tenants (slug) where deleted_at is null;
create index tenants_created_at_id_idx on tenants (created_at, id) where deleted_at is null;

-- Settings that the product declares. The schema is json, because the order of its properties is that of forms.
create table setting_definitions (
  key text collate "C" primary key check (char_length(key) between 1 and 128),
  schema json not null,
  default_value json, -- Null: no default.
  scopes text[] not null check (cardinality(scopes) between 1 and 3 and scopes <@ array['global', 'tenant', 'user']),
  is_secret boolean not null,
  is_public boolean not null,
  is_locked boolean not null default false, -- Values of tenants and users have no effect.
  label text not null check (char_length(label) <= 64),
  description text not null check (char_length(description) <= 1000),
  group_name text not null check (char_length(group_name) <= 64),
  updated_at timestamptz not null,
  constraint setting_definitions_secret_check
    check (not is_secret or (not is_public and default_value is null and not 'user' = any (scopes)))
);

-- Declared facts about users and tenants. The schema is json, because the order of its properties is that of forms.
create table attributes (
  subject text not null check (subject in ('user', 'tenant')),
  key text collate "C" not null check (key ~ '^[a-z][a-z0-9_]{0,63}$'),
  schema json not null,
  label json not null, -- By language.
  description text not null check (char_length(description) <= 1000),
  group_name text not null check (char_length(group_name) <= 64),
  self_access text not null check (self_access in ('none', 'read', 'write')),
  administrators text not null check (administrators in ('none', 'read', 'write')),
  is_indexed boolean not null,
  is_sensitive boolean not null,
  claim text collate "C" constraint attributes_claim_key unique,
  scim text,
  primary key (subject, key),
  constraint attributes_sensitive_check check (not is_sensitive or (not is_indexed and claim is null))
);
-- Deleted attributes whose values maintenance has yet to delete.
create table attribute_removals (
  subject text not null,
  key text collate "C" not null,
  primary key (subject, key)
);

create table global_settings (
  key text collate "C" primary key check (char_length(key) between 1 and 128),
  value jsonb not null,
  version integer not null default 1,
  -- The declaration refuses the value, which then has no effect.
  is_invalid boolean not null default false,
  updated_at timestamptz not null
);

-- Earlier and present values: the last 20 of a key. The latest version stays after a deletion, so that the numbering
-- continues.
create table global_setting_versions (
  key text collate "C" not null,
  version integer not null check (version > 0),
  value jsonb, -- Null for a deletion and for a secret.
  is_deleted boolean not null,
  changed_by bigint not null, -- A user of the built-in tenant; 0 for the operator.
  changed_at timestamptz not null,
  reverted_from integer,
  primary key (key, version)
);
create index global_setting_versions_changed_at_idx on global_setting_versions (changed_at) where not is_deleted;

-- Values of declared secrets, encrypted and bound to their rows (crypto/secrets.ts).
create table global_setting_secrets (
  key text collate "C" primary key,
  sealed bytea not null,
  version integer not null,
  updated_at timestamptz not null
);

-- The catalogue: a product defines permissions and templates beside the built-in ones (decision 0094). A start
-- compares and writes the built-in part. It compares as its login, before it takes on a role. Requests write the
-- product's part, in the scope of the built-in tenant only.
create table permissions (
  id integer primary key,
  code text not null,
  name text not null,
  module text not null,
  description text not null,
  platform_only boolean not null,
  -- A removed permission keeps its row until maintenance has deleted the rows of role_permissions that refer to it.
  removed_at timestamptz,
  constraint permissions_id_platform_only_key unique (id, platform_only)
);
create unique index permissions_code_key on permissions (code) where removed_at is null;
create sequence product_permission_ids as integer minvalue 1000;

-- Roles that every tenant has. They are stored once, so that a change is one write for any number of tenants. Role ids
-- below 1000 are templates. Higher ids are tenants' own roles.
create table role_templates (
  id integer primary key check (id between 1 and 999),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null constraint role_templates_name_key unique,
  description text not null default '' check (char_length(description) <= 255),
  is_builtin boolean not null default false,
  given_to_new_users boolean not null default false,
  created_at timestamptz not null
);

create table template_permissions (
  template_id integer not null references role_templates (id) on delete cascade,
  permission_id integer not null,
  platform_only boolean not null,
  primary key (template_id, permission_id),
  foreign key (permission_id, platform_only) references permissions (id, platform_only),
  -- Only the template platform-admin has platform-only permissions.
  constraint template_permissions_platform_check check (not platform_only or template_id = 1)
);

-- The last id of a product's template. The ids before the first are for built-in templates of later versions. It is a
-- row and no sequence, because a plan that rolls back must not use up one of 900 ids.
create table template_counter (
  last_id integer not null constraint template_counter_last_id_check check (last_id between 99 and 999)
);
insert into template_counter values (99);

-- Removed permissions and templates whose rows in the tenants maintenance has yet to delete.
create table catalogue_removals (
  kind text not null check (kind in ('permission', 'template')),
  id integer not null,
  primary key (kind, id)
);

-- Feature flags. The type json keeps the order of variants.
create sequence flag_revisions;
create table flags (
  key text collate "C" primary key check (char_length(key) between 1 and 128),
  description text not null check (char_length(description) <= 1000),
  type text not null check (type in ('boolean', 'string', 'number', 'object')),
  variants json not null, -- Names with their values.
  enabled boolean not null,
  off_variant text not null,
  default_variant text not null,
  rules json not null, -- `Rule` of flags/flags.schemas.ts.
  client_side boolean not null,
  salt text not null, -- Splits hash it to assign buckets.
  version integer not null default 1,
  -- Changes with every change of the flag or its overrides. Replicas read flags with a new revision.
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The variant for a tenant overrides all rules. Every replica holds the overrides of all tenants, so no row is
-- tenant-bound.
create table flag_overrides (
  flag_key text collate "C" not null references flags (key) on delete cascade,
  override_tenant_id uuid not null references tenants (id),
  variant text not null,
  primary key (flag_key, override_tenant_id)
);

-- Keys of access tokens and ID tokens, of refresh tokens, and of the audit chain. The service publishes the public
-- halves of the first two; only the service verifies refresh tokens. Of each purpose the newest key that is not
-- retired signs, and all of them verify. A retired audit key loses its private half at once, and keeps the public one
-- forever.
create table signing_keys (
  kid text primary key,
  purpose text not null check (purpose in ('access', 'id', 'refresh', 'audit')),
  public_jwk jsonb not null,
  private_pem text, -- The private half: in the clear without a secret key, else encrypted (crypto/secrets.ts).
  private_sealed bytea,
  created_at timestamptz not null,
  signs_from timestamptz not null, -- A published key signs when every cached key set contains it.
  retired_at timestamptz,
  constraint signing_keys_private_check check (num_nonnulls(private_pem, private_sealed) = 1
    or (purpose = 'audit' and retired_at is not null and num_nonnulls(private_pem, private_sealed) = 0))
);

-- Every `iss` of this installation's tokens.
create table token_issuers (
  issuer text primary key check (char_length(issuer) between 1 and 255),
  last_used_at timestamptz not null
);

-- Fingerprints of the secret keys that rows are encrypted with. A start without one of these keys is refused.
create table secret_keys (
  fingerprint bytea primary key check (octet_length(fingerprint) = 8),
  first_used_at timestamptz not null
);
