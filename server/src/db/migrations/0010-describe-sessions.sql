-- Describes sessions by device, use and sign-in, and lets one counter on the account end them in all tenants
-- (decision 0102). The previous version inserts rows without these columns: every default is right for such a row.

-- Raised by each act that ends the account's sessions everywhere. A session stands while it carries the present value.
alter table accounts add column session_epoch integer not null default 0;

alter table sessions
  -- Null in a row of the previous version, until its first use is noted. `user_id` names the account as well.
  add column account_id bigint,
  add column account_epoch integer not null default 0,
  -- Sessions of one sign-in end together.
  add column sign_in_id uuid not null default gen_random_uuid(),
  -- How the person proved their identity (RFC 8176).
  add column amr text[] not null default '{pwd}',
  -- Of the sign-in.
  add column ip text not null default '',
  add column user_agent text not null default '' check (char_length(user_agent) <= 512),
  -- At most 5 minutes before the last request.
  add column last_used_at timestamptz not null default now();

-- The owner of the tables is bound by their row-level security, and has no tenant in scope here.
alter table users no force row level security;
alter table sessions no force row level security;
update sessions s set account_id = u.account_id, last_used_at = s.rotated_at
  from users u where u.tenant_id = s.tenant_id and u.id = s.user_id;
alter table users force row level security;
alter table sessions force row level security;

-- The sessions of a person in all tenants.
create index sessions_account_id_idx on sessions (account_id);

-- A person reads and ends their sessions in all tenants; the role changes none.
create policy account_scope on sessions to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
grant select (tenant_id, id, user_id, account_id, account_epoch, sign_in_id, ip, user_agent, created_at, last_used_at,
  expires_at), delete on sessions to tenantry_login;
grant select (id, session_epoch) on accounts to tenantry_login;
