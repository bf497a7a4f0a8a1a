-- Secures the rows of each tenant: row-level security, and the grants of each role. A tenant in scope is set for one
-- transaction (db/scope.ts); without one PostgreSQL shows and takes no row. No policy has a subquery or a function of
-- ours: a distributed database refuses both. `forced`: the owner of the tables is bound as well.

-- Requests reach the tenant in scope.
alter table users enable row level security, force row level security;
create policy tenant_scope on users to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table roles enable row level security, force row level security;
create policy tenant_scope on roles to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table role_permissions enable row level security, force row level security;
create policy tenant_scope on role_permissions to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table user_roles enable row level security, force row level security;
create policy tenant_scope on user_roles to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table sessions enable row level security, force row level security;
create policy tenant_scope on sessions to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table tenant_settings enable row level security, force row level security;
create policy tenant_scope on tenant_settings to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table notifications enable row level security, force row level security;
create policy tenant_scope on notifications to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table tenant_days enable row level security, force row level security;
create policy tenant_scope on tenant_days to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table audit_logs enable row level security, force row level security;
create policy tenant_scope on audit_logs to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table audit_unsealed enable row level security, force row level security;
create policy tenant_scope on audit_unsealed to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table audit_seals enable row level security, force row level security;
create policy tenant_scope on audit_seals to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
alter table audit_heads enable row level security, force row level security;
create policy tenant_scope on audit_heads to tenantry_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);

grant select, insert, update, delete on accounts, global_settings, signing_keys, users, roles, role_permissions, user_roles,
  sessions, tenant_settings, notifications to tenantry_app;
grant select, insert, update on tenants to tenantry_app;
grant select on audit_seals, audit_heads, audit_tombstones to tenantry_app;
-- A start reads these as its login, before it takes on a role.
grant select on tenantry_migrations, permissions to public;
-- Append-only: requests can neither change nor delete a record, or the count of a day.
grant select, insert on audit_logs, audit_unsealed, tenant_days to tenantry_app;

-- Each role sees the keys of its own purpose: the role of requests does not see the keys that sign the chain.
alter table signing_keys enable row level security;
create policy token_keys on signing_keys to tenantry_app using (purpose = 'token');
create policy audit_keys on signing_keys to tenantry_seal using (purpose = 'audit');

-- Login reaches the users of the account that is proving its password.
create policy account_scope on users for select to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
grant select (tenant_id, id, account_id, status) on users to tenantry_login;
grant select (id, status, deleted_at) on tenants to tenantry_login;

-- Search gets ids, across tenants. LIKE is not leakproof: beside any other policy PostgreSQL could not use its index. The
-- statement names the tenant, and the rows of the ids are read under the policy of requests (decision 0084).
create policy searched on users for select to tenantry_search using (true);
grant select (tenant_id, id, search_folded, status) on users to tenantry_search;
-- Maintenance has to find the tenants that have no row of yesterday.
create policy searched on tenant_days for select to tenantry_search using (true);
grant select (tenant_id, day) on tenant_days to tenantry_search;
grant select (id, deleted_at) on tenants to tenantry_search;

-- Sealing reaches the tenant in scope. No role of the service may update a record, a seal or a tombstone.
create policy sealing on audit_logs for select to tenantry_seal
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy sealing on audit_seals to tenantry_seal
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy sealing on audit_heads to tenantry_seal
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy sealing on audit_unsealed to tenantry_seal
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
-- Sealing has to find the tenants that have something to seal.
create policy waiting on audit_unsealed for select to tenantry_seal using (true);
grant select on audit_logs, tenants to tenantry_seal;
grant select, insert, delete on audit_unsealed to tenantry_seal;
grant select, insert on audit_seals, audit_tombstones to tenantry_seal;
grant select, insert, update on audit_heads to tenantry_seal;
grant select, insert, update (private_pem, retired_at) on signing_keys to tenantry_seal;

-- Purging reaches one tenant, which is put in scope by a statement that reads its mark of removal (tenants.store.ts).
-- The tenant's own row can go only with that mark.
alter table tenants enable row level security;
create policy all_tenants on tenants to tenantry_app using (true);
create policy listed on tenants for select to tenantry_login, tenantry_search, tenantry_seal, tenantry_purge using (true);
create policy removed on tenants for delete to tenantry_purge using (deleted_at is not null);
create policy removed_tenant on users to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on roles to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on role_permissions to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on user_roles to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on sessions to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on tenant_settings to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on notifications to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on tenant_days to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on audit_logs to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on audit_unsealed to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on audit_seals to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
create policy removed_tenant on audit_heads to tenantry_purge
  using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
grant select (id), delete on accounts to tenantry_purge;
grant select, delete on tenants, users, roles, role_permissions, user_roles, sessions, tenant_settings,
  notifications, tenant_days, audit_logs, audit_unsealed, audit_seals, audit_heads to tenantry_purge;

-- Retention reaches records of the tenant in scope that were written before a moment, which is set by a statement that
-- reads the tenant's own setting (chain.store.ts). Whatever is set, nothing younger than 30 days is reached.
create policy expired on audit_logs to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and created_at < nullif(current_setting('app.expired_before', true), '')::timestamptz
    and created_at < now() - interval '30 days');
create policy expired on audit_seals to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and newest_at < nullif(current_setting('app.expired_before', true), '')::timestamptz
    and newest_at < now() - interval '30 days');
-- Retention has to find the tenants with that setting, before it has a tenant in scope.
create policy audit_retention on tenant_settings for select to tenantry_purge using (key = 'audit.retention_days'
  and tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::uuid, tenant_id));
-- Sweeping reaches the expired sessions of every tenant.
create policy expired on sessions to tenantry_purge using (expires_at < now());

-- An import keeps the ids of its rows, and raises the counters beyond them (transfer.store.ts).
grant usage, update on sequence users_id_seq, roles_id_seq, notifications_id_seq, audit_logs_id_seq to tenantry_import;
