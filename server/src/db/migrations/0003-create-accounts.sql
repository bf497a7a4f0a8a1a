-- Creates the accounts of persons, apart from the users of tenants: one person, one e-mail, one password. Also creates
-- their proofs of identity (decisions 0103 and 0104). No table is tenant-bound.

create table accounts (
  id bigint generated always as identity primary key,
  email text not null check (char_length(email) <= 254),
  email_folded text collate "C" not null constraint accounts_email_key unique,
  password_hash text not null,
  -- bcrypt: made here from at most 72 bytes. hmac-bcrypt: made here from a longer password, see passwords.ts. foreign:
  -- made elsewhere (foreign-hashes.ts), replaced by one of ours at the next login. none: no password is valid.
  password_scheme text not null default 'foreign'
    check (password_scheme in ('bcrypt', 'hmac-bcrypt', 'foreign', 'none')),
  -- The person chose the password. An account with a proved address and an own password has an owner.
  has_own_password boolean not null default false,
  -- An administrator demanded another password then. Sessions that it opens later can do little but change it.
  password_expired_at timestamptz,
  -- The folded address whose mailbox the person has proved. Any other address of the account is unproved.
  proved_email text collate "C",
  -- The person registered it. TENANTRY_REQUIRE_VERIFIED_EMAIL concerns no other accounts (decision 0021).
  is_registered boolean not null default false,
  -- Raised by each action that ends the account's sessions everywhere. A session is valid only with the present value.
  session_epoch integer not null default 0,
  -- Languages of the last sign-in, the best first, with commas between them.
  language text check (length(language) <= 200),
  -- The account's random id for authenticators, made with the first passkey.
  passkey_handle bytea constraint accounts_passkey_handle_key unique,
  -- The person declined a passkey that the sign-in offered.
  passkey_declined_at timestamptz,
  -- Wrong codes within an hour, and that hour's end. After the last permitted one, codes are refused until then.
  wrong_codes smallint not null default 0,
  wrong_codes_until timestamptz,
  -- Identifies the person to the installation's own applications, the same in every tenant.
  person uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_id_email_key unique (id, email)
);

-- Links that were mailed to a person. A used or revoked link has no row.
create table account_links (
  -- SHA-256 of the token. The token has 256 random bits, so that a slow hash would add nothing.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id bigint references accounts (id) on delete cascade,
  -- reset: of the password; verification: of the present address; change: to another address.
  kind text not null check (kind in ('reset', 'verification', 'change')),
  email text not null, -- The recipient of the link.
  application_id bigint, -- The application whose sign-in requested the link, for the return to it. Null: none.
  expires_at timestamptz not null
);
create index account_links_account_id_idx on account_links (account_id);
create index account_links_expires_at_idx on account_links (expires_at);

-- The devices that a person signed in from: an HMAC of browser family and system.
create table account_devices (
  account_id bigint not null references accounts (id) on delete cascade,
  device bytea not null check (octet_length(device) = 32),
  last_seen_at timestamptz not null,
  primary key (account_id, device)
);

-- The key of these HMACs, encrypted. At most one row.
create table device_keys (
  id integer primary key check (id = 1),
  sealed_key bytea not null
);

-- Secret keys of other systems' hashes, encrypted. The texts of the hashes contain `id`.
create table hash_keys (
  id text primary key,
  sealed_key bytea not null
);

create table factors (
  id uuid primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  type text not null check (type in ('totp', 'passkey')),
  name text not null check (char_length(name) between 1 and 64),
  is_confirmed boolean not null, -- A TOTP factor counts after its first right code. A passkey counts at once.
  created_at timestamptz not null,
  last_used_at timestamptz,
  secret_sealed bytea, -- For TOTP: the encrypted secret (crypto/secrets.ts), and the time step of the last code.
  last_step bigint not null default 0,
  -- For a passkey. `rp_id` is the host that it was made for.
  credential_id text constraint factors_credential_id_key unique,
  rp_id text,
  public_key bytea,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  constraint factors_values_check check (case type
    when 'totp' then secret_sealed is not null and num_nonnulls(credential_id, rp_id, public_key) = 0
    else secret_sealed is null and is_confirmed and num_nonnulls(credential_id, rp_id, public_key) = 3 end)
);
create index factors_account_id_idx on factors (account_id);
create index factors_pending_idx on factors (created_at) where not is_confirmed;

-- A used code has no row.
create table recovery_codes (
  account_id bigint not null references accounts (id) on delete cascade,
  -- SHA-256 of the code. A code has 80 random bits, so that a slow hash would add nothing.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (account_id, code_hash)
);

-- Solved challenges of proof of work: each counts once.
create table spent_challenges (
  -- SHA-256 of the challenge's signature.
  signature_hash bytea primary key check (octet_length(signature_hash) = 32),
  expires_at timestamptz not null
);
create index spent_challenges_expires_at_idx on spent_challenges (expires_at);

-- Sign-ins and passkeys answer challenges. An answered challenge has no row.
create table challenges (
  -- SHA-256 of the challenge, which has 256 random bits.
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  -- login: the second factor after the first proof; passkey_login: only a passkey; passkey_creation: a new passkey.
  ceremony text not null check (ceremony in ('login', 'passkey_login', 'passkey_creation')),
  -- Null for passkey_login, whose passkey names the account.
  account_id bigint references accounts (id) on delete cascade,
  account_epoch integer, -- A challenge ends with the account's sessions: see `session_epoch` of accounts.
  session_id uuid, -- For passkey_creation: the session that requested it.
  asked_tenant uuid, -- For login: the tenant that the person requested.
  first_proof text not null default 'pwd', -- For login: the proof that the second factor follows (RFC 8176).
  wrong_answers smallint not null default 0,
  expires_at timestamptz not null,
  constraint challenges_values_check check ((ceremony = 'passkey_login') = (account_id is null)
    and (account_id is null) = (account_epoch is null)
    and (ceremony = 'passkey_creation') = (session_id is not null))
);
create index challenges_account_id_idx on challenges (account_id);
create index challenges_expires_at_idx on challenges (expires_at);

-- Codes that sign a person in by mail. An unknown address has rows too, because answers must not reveal accounts.
create table email_codes (
  -- SHA-256 of the challenge, which has 256 random bits. A code is valid only with its challenge.
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  code_mac bytea not null check (octet_length(code_mac) = 32), -- HMAC-SHA-256 under the secret key.
  email_folded text collate "C" not null,
  account_id bigint references accounts (id) on delete cascade,
  account_epoch integer, -- As in challenges.
  asked_tenant uuid,
  setup_link_id uuid, -- The setup link whose guest the code lets in. Such a code signs nobody in.
  wrong_answers smallint not null default 0,
  expires_at timestamptz not null,
  constraint email_codes_account_check check ((account_id is null) = (account_epoch is null))
);
create index email_codes_account_id_idx on email_codes (account_id);
create index email_codes_setup_link_id_idx on email_codes (setup_link_id) where setup_link_id is not null;
create index email_codes_expires_at_idx on email_codes (expires_at);

-- Wrong codes of an address, known or not, within an hour, and that hour's end. As `wrong_codes` of accounts.
create table email_code_guesses (
  email_folded text collate "C" primary key,
  wrong_codes smallint not null,
  expires_at timestamptz not null
);
create index email_code_guesses_expires_at_idx on email_code_guesses (expires_at);
