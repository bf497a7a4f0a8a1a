-- Creates the invitations by which people become users of a tenant (decision 0105), and lets their e-mails wait in the
-- queue. The previous version leaves such e-mails to this one.

create table invitations (
  tenant_id uuid not null references tenants (id),
  id bigint generated always as identity,
  email text not null,
  email_folded text collate "C" not null,
  nickname text not null default '' check (char_length(nickname) <= 64),
  role_ids bigint[] not null default '{}',
  -- The inviter, a user or service account: without a reference, since the invitation outlives them.
  inviter_tenant_id uuid not null,
  -- 0: the operator, by an import.
  invited_by bigint not null,
  -- SHA-256 of the token, which names the tenant and has 256 random bits. A closed invitation has none.
  token_hash bytea check (octet_length(token_hash) = 32),
  -- Whether the link was mailed. A link that was shown proves no mailbox.
  is_mailed boolean not null,
  -- The UTC day of the last link, and the number of links on it.
  sent_on date not null,
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

alter table invitations enable row level security, force row level security;
create policy tenant_scope on invitations to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on invitations to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
-- Sweeping reaches the invitations of every tenant that were closed 90 days ago.
create policy closed on invitations to tenantry_purge
  using (coalesce(closed_at, expires_at) < now() - interval '90 days');
grant select, insert, update, delete on invitations to tenantry_app;
grant select, delete on invitations to tenantry_purge;

-- An e-mail with a link goes with its account link; the service deletes that of a closed invitation. A foreign key to a
-- table of tenants would keep the queue from being a reference table of a distributed database.
alter table mail_queue
  add column invitation_tenant_id uuid,
  add column invitation_id bigint,
  drop constraint mail_queue_token_check,
  add constraint mail_queue_token_check
    check (num_nonnulls(link_hash, invitation_id) = num_nonnulls(sealed_token) and num_nonnulls(invitation_tenant_id, invitation_id) in (0, 2));
create index mail_queue_invitation_idx on mail_queue (invitation_tenant_id, invitation_id);
