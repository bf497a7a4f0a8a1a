-- Creates the e-mails that wait to be sent, the links that they carry, and the facts that make a person the owner of an
-- account (decision 0103). The previous version writes accounts without these columns: every default is right for it.

alter table accounts
  -- The folded address whose mailbox the person has proved. Any other address of the account is unproved.
  add column proved_email text collate "C",
  -- Whether the person chose the password. An account with a proved address and an own password has an owner.
  add column has_own_password boolean not null default false,
  -- Of the last sign-in.
  add column language text check (language in ('en', 'zh'));

-- Links that were mailed to a person. A link that is used or revoked has no row.
create table account_links (
  -- SHA-256 of the token. The token has 256 random bits, so a slow hash would add nothing.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id bigint not null references accounts (id) on delete cascade,
  -- reset: of the password; verification: of the present address; change: to another address.
  kind text not null check (kind in ('reset', 'verification', 'change')),
  -- The address that the link was mailed to.
  email text not null,
  expires_at timestamptz not null
);
create index account_links_account_id_idx on account_links (account_id);
create index account_links_expires_at_idx on account_links (expires_at);

-- E-mails that wait. A replica that takes one moves `next_attempt_at` into the future, so that no other takes it.
create table mail_queue (
  id uuid primary key,
  kind text not null,
  email text not null,
  language text not null,
  -- Null for a notice. An e-mail goes with its link.
  link_hash bytea references account_links (token_hash) on delete cascade,
  -- The token of the link, encrypted (crypto/secrets.ts).
  sealed_token bytea,
  -- The facts that a notice tells.
  facts json not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  constraint mail_queue_token_check check (num_nonnulls(link_hash, sealed_token) in (0, 2))
);
create index mail_queue_next_attempt_at_idx on mail_queue (next_attempt_at);
create index mail_queue_link_hash_idx on mail_queue (link_hash);
create index mail_queue_expires_at_idx on mail_queue (expires_at);

-- E-mails of the last hour, by address and kind: they bound what strangers can have sent to a mailbox.
create table mail_counts (
  email_folded text collate "C" not null,
  kind text not null,
  asked_at timestamptz not null
);
create index mail_counts_email_folded_kind_idx on mail_counts (email_folded, kind, asked_at);
create index mail_counts_asked_at_idx on mail_counts (asked_at);

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

grant select, insert, delete on account_links, mail_counts, device_keys to tenantry_app;
grant select, insert, update, delete on mail_queue, account_devices to tenantry_app;
-- Secrets are rewritten with another key.
grant update (sealed_key) on device_keys to tenantry_app;
