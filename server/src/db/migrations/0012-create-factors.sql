-- Creates second factors, recovery codes, and the challenges that sign-ins and passkeys answer (decision 0104). They belong
-- to accounts, as passwords do, and have no tenant. The previous version knows none of them, and signs in by password alone.

alter table accounts
  -- The random name of the account at authenticators, made with the first passkey.
  add column passkey_handle bytea constraint accounts_passkey_handle_key unique,
  -- Wrong codes of the hour that ends then. After the last one that is allowed, codes are refused until then.
  add column wrong_codes smallint not null default 0,
  add column wrong_codes_until timestamptz;

create table factors (
  id uuid primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  type text not null check (type in ('totp', 'passkey')),
  name text not null check (char_length(name) between 1 and 64),
  -- A TOTP factor counts once its first code was right. A passkey counts at once.
  is_confirmed boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- Of TOTP: the secret, encrypted (crypto/secrets.ts), and the time step of the last code.
  secret_sealed bytea,
  last_step bigint not null default 0,
  -- Of a passkey. `rp_id` is the host that it was made for.
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

-- A code that was used has no row.
create table recovery_codes (
  account_id bigint not null references accounts (id) on delete cascade,
  -- SHA-256 of the code. A code has 80 random bits, so a slow hash would add nothing.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (account_id, code_hash)
);

-- A challenge that was answered has no row.
create table challenges (
  -- SHA-256 of the challenge, which has 256 random bits.
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  -- login: the step after the password; passkey_login: a passkey alone; passkey_creation: a passkey is added.
  ceremony text not null check (ceremony in ('login', 'passkey_login', 'passkey_creation')),
  -- Null for a passkey alone, which tells the account itself.
  account_id bigint references accounts (id) on delete cascade,
  -- A challenge ends with the sessions of its account: see `session_epoch` of accounts.
  account_epoch integer,
  -- Of a creation: the session that asked.
  session_id uuid,
  -- Of a login: the tenant that the person asked for.
  asked_tenant uuid,
  wrong_answers smallint not null default 0,
  expires_at timestamptz not null,
  constraint challenges_values_check check ((ceremony = 'passkey_login') = (account_id is null)
    and (account_id is null) = (account_epoch is null)
    and (ceremony = 'passkey_creation') = (session_id is not null))
);
create index challenges_account_id_idx on challenges (account_id);
create index challenges_expires_at_idx on challenges (expires_at);

grant select, insert, update, delete on factors, recovery_codes, challenges to tenantry_app;
