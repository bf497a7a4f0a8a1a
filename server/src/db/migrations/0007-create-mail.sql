-- Creates the e-mails that wait to be sent. The tables belong to the whole installation.

-- Organizations that strangers want to create. The mailed link creates tenant and account.
create table sign_ups (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  organization text not null check (char_length(organization) between 1 and 128),
  slug text collate "C" not null check (char_length(slug) <= 64), -- "": derived from the organization's name.
  email text not null,
  application_id bigint, -- As in account_links.
  expires_at timestamptz not null
);
create index sign_ups_expires_at_idx on sign_ups (expires_at);

-- A replica that takes an e-mail moves `next_attempt_at` into the future, so that no other replica takes it.
create table mail_queue (
  id uuid primary key,
  kind text not null,
  email text not null,
  language text not null,
  -- A deleted link deletes its e-mail. A notice has no link.
  link_hash bytea references account_links (token_hash) on delete cascade,
  sign_up_hash bytea references sign_ups (token_hash) on delete cascade,
  code_hash bytea references email_codes (challenge_hash) on delete cascade,
  -- The service deletes the e-mail of a closed invitation. With a foreign key to a tenant-bound table, the queue could
  -- not be a reference table of a distributed database.
  invitation_tenant_id uuid,
  invitation_id bigint,
  setup_link_id uuid, -- As for an invitation.
  sealed_token bytea, -- The token of the link or the invitation, or the code, encrypted (crypto/secrets.ts).
  facts json not null default '{}', -- The facts in a notice.
  created_at timestamptz not null,
  expires_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  constraint mail_queue_token_check check (num_nonnulls(link_hash, sign_up_hash, code_hash, invitation_id, setup_link_id) = num_nonnulls(sealed_token)
    and num_nonnulls(invitation_tenant_id, invitation_id) in (0, 2))
);
create index mail_queue_next_attempt_at_idx on mail_queue (next_attempt_at);
create index mail_queue_link_hash_idx on mail_queue (link_hash);
create index mail_queue_sign_up_hash_idx on mail_queue (sign_up_hash);
create index mail_queue_code_hash_idx on mail_queue (code_hash);
create index mail_queue_invitation_idx on mail_queue (invitation_tenant_id, invitation_id);
create index mail_queue_setup_link_id_idx on mail_queue (setup_link_id) where setup_link_id is not null;
create index mail_queue_expires_at_idx on mail_queue (expires_at);

-- E-mails of the last hour, by address and kind. They limit the e-mails that strangers can cause for a mailbox.
create table mail_counts (
  email_folded text collate "C" not null,
  kind text not null,
  asked_at timestamptz not null
);
create index mail_counts_email_folded_kind_idx on mail_counts (email_folded, kind, asked_at);
create index mail_counts_asked_at_idx on mail_counts (asked_at);

-- Texts of the product that replace the built-in ones.
create table mail_texts (
  kind text not null,
  language text not null, -- A BCP 47 tag.
  subject text not null,
  button text, -- Only for an e-mail with a link.
  text text not null,
  primary key (kind, language)
);
