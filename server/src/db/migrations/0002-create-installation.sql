-- Creates the tables of the whole installation: they have no tenant_id, and few rows or none that belong to a tenant.
--
-- Text that is compared without case stands a second time, folded by the service, in a *_folded column with the "C"
-- collation: it compares alike on every engine and locale, and its comparison is leakproof, so that row-level security
-- may use its index.

create table tenants (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 128),
  slug text collate "C" not null check (char_length(slug) between 1 and 64),
  status smallint not null default 1 check (status in (0, 1)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Set for a removed tenant: no request reaches it any more, and its rows are being purged.
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

-- Ed25519 keys that sign tokens, and others that sign the audit chain. Of each purpose the newest key that is not retired
-- signs, and all of them verify. A retired audit key loses its private half at once, and keeps the public one for ever.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_pem text,
  created_at timestamptz not null,
  retired_at timestamptz,
  purpose text not null default 'token' check (purpose in ('token', 'audit')),
  constraint signing_keys_private_check
    check (private_pem is not null or (purpose = 'audit' and retired_at is not null))
);

-- The signed statement about the audit chain of an erased tenant, whose id it bears.
create table audit_tombstones (
  id uuid primary key,
  statement text not null,
  erased_at timestamptz not null
);
