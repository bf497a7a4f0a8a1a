-- Lets a session in another tenant inherit from the one that it came from, and keeps an account whose person is still a
-- user elsewhere (decision 0106). The previous version opens sessions without a bound, as every sign-in does.

-- A refresh moves the end of a session no further than this. Null: a refresh gives seven days more.
alter table sessions add column latest_expires_at timestamptz;
grant select (amr, latest_expires_at) on sessions to tenantry_login;

-- A purge has to find the accounts that have a user elsewhere. It names them in the setting.
create policy of_accounts on users for select to tenantry_purge
  using (account_id = any (nullif(current_setting('app.account_ids', true), '')::bigint[]));

-- A person reads their memberships in all tenants, and signs in to the tenant used last.
grant select (username, last_login_at) on users to tenantry_login;
grant select (name, slug) on tenants to tenantry_login;
