-- Secures the rows: row-level security, and the grants of each role. A tenant in scope is set for one transaction
-- (db/scope.ts). Without it PostgreSQL shows and accepts no row. No policy has a subquery or a function of ours,
-- because a distributed database refuses both.

-- Requests reach the tenant in scope, in every table with a tenant_id. Purging reaches one removed tenant; the
-- statement that puts it in scope reads its mark of removal (tenants.store.ts). `force` binds the owner of the tables
-- as well.
do $$
declare
  name text;
begin
  foreach name in array array['users', 'service_accounts', 'service_account_keys', 'roles', 'role_permissions', 'user_roles',
      'sessions', 'tenant_settings', 'notifications', 'sendings', 'invitations', 'tenant_days', 'audit_logs',
      'audit_unsealed', 'audit_leftovers', 'audit_seals', 'audit_heads', 'webhooks', 'webhook_deliveries', 'webhook_leases', 'grants',
      'tenant_setting_versions', 'tenant_setting_secrets', 'setting_secret_reads', 'user_settings', 'connections', 'domains',
      'sso_attempts', 'sso_outcomes', 'sso_links', 'group_mappings', 'sso_exemptions', 'scim_users', 'scim_groups',
      'scim_group_members', 'limit_notices', 'user_attributes', 'tenant_attributes', 'setup_links', 'setup_guests', 'eligible_roles',
      'elevations', 'support_sessions', 'support_requests', 'support_openings', 'approval_policies', 'approvals',
      'approval_decisions', 'reviews', 'review_items'] loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format($policy$create policy tenant_scope on %I to tenantry_app
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
    execute format($policy$create policy removed_tenant on %I to tenantry_purge
      using (tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid)$policy$, name);
    execute format('grant select, delete on %I to tenantry_purge', name);
  end loop;
  -- Sealing reaches the tenant in scope.
  foreach name in array array['audit_logs', 'audit_unsealed', 'audit_seals', 'audit_heads'] loop
    execute format($policy$create policy sealing on %I to tenantry_seal
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)$policy$, name);
  end loop;
end $$;

-- Approvals, elevations and support sessions stay as long as the records of their tenant (chain.store.ts).
create policy expired on approvals to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and created_at < nullif(current_setting('app.expired_before', true), '')::timestamptz);
create policy expired on elevations to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and ended_at < nullif(current_setting('app.expired_before', true), '')::timestamptz);
create policy expired on support_sessions to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and status <> 'active'
    and coalesce(ended_at, expires_at) < nullif(current_setting('app.expired_before', true), '')::timestamptz);

-- Grants for requests.
grant select, insert, update, delete on accounts, account_devices, factors, recovery_codes, challenges, email_codes,
  email_code_guesses, users,
  service_accounts, service_account_keys, roles, role_permissions, user_roles, sessions, tenant_settings, notifications,
  sendings, invitations, webhooks, webhook_deliveries, webhook_leases, webhook_secrets, mail_queue, global_settings,
  signing_keys, token_issuers, applications, application_secrets, resources, sign_ins, interactions, authorization_codes,
  device_codes, grants, logout_queue, tenant_setting_versions, tenant_setting_secrets, setting_secret_reads, user_settings,
  domain_owners, connection_secrets, connections, domains, sso_attempts, sso_outcomes, sso_links, group_mappings,
  sso_exemptions, scim_users, scim_groups, scim_group_members, providers, identities, provider_attempts, limit_notices,
  user_attributes, tenant_attributes, setup_links, setup_guests, eligible_roles,
  elevations, support_sessions, support_requests, support_openings, approval_policies, approvals, approval_decisions,
  reviews, review_items to tenantry_app;
grant select, insert, delete on spent_challenges, account_links, sign_ups, mail_counts, device_keys, hash_keys, secret_keys to tenantry_app;
-- Rotating the secret key rewrites these secrets.
grant update (sealed_key) on device_keys, hash_keys to tenantry_app;
grant select, insert, update on tenants to tenantry_app;
-- Append-only: requests can neither change nor delete a record, or the count of a day.
grant select, insert on audit_logs, audit_unsealed, tenant_days to tenantry_app;
grant select on audit_seals, audit_heads, audit_tombstones to tenantry_app;
-- Service accounts take their ids from the counter of users. An imported assignment gets a new id.
grant usage on sequence users_id_seq, user_roles_id_seq to tenantry_app;

alter table tenants enable row level security;
create policy all_tenants on tenants to tenantry_app using (true);
create policy listed on tenants for select to tenantry_login, tenantry_search, tenantry_seal, tenantry_purge using (true);

-- A start compares the catalogue as its login, before it takes on a role, and writes the built-in part. Requests write
-- the product's part, in the scope of the built-in tenant only.
grant select on tenantry_migrations, permissions, role_templates, template_permissions to public;
alter table permissions enable row level security;
create policy listed on permissions for select using (true);
create policy product on permissions to tenantry_app
  using (id >= 1000 and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table role_templates enable row level security;
create policy listed on role_templates for select using (true);
create policy product on role_templates to tenantry_app
  using (not is_builtin and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table template_permissions enable row level security;
create policy listed on template_permissions for select using (true);
create policy product on template_permissions to tenantry_app
  using ((template_id >= 100 or permission_id >= 1000)
    and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table template_counter enable row level security;
create policy product on template_counter to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant insert, update (name, description, removed_at) on permissions to tenantry_app;
grant insert, delete, update (name, name_folded, description, given_to_new_users) on role_templates to tenantry_app;
grant insert, delete on template_permissions to tenantry_app;
grant select, update on template_counter to tenantry_app;
grant usage on sequence product_permission_ids to tenantry_app;
grant insert on catalogue_removals to tenantry_app;

-- E-mails of all tenants use the texts. They change only in the scope of the built-in tenant.
alter table mail_texts enable row level security;
create policy listed on mail_texts for select to tenantry_app using (true);
create policy product on mail_texts to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant select, insert, update, delete on mail_texts to tenantry_app;

-- Declarations of settings change only in the scope of the built-in tenant, and so do versions and secrets of the
-- installation. No tenant sees those versions and secrets.
alter table setting_definitions enable row level security;
create policy listed on setting_definitions for select to tenantry_app using (true);
create policy product on setting_definitions to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table global_setting_versions enable row level security;
create policy product on global_setting_versions to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table global_setting_secrets enable row level security;
create policy product on global_setting_secrets to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant select, insert, update, delete on setting_definitions, global_setting_versions, global_setting_secrets to tenantry_app;
-- A declaration reads and marks the values of its key in all tenants. Deleting it deletes user values and secrets.
create policy declared on tenant_settings for select to tenantry_purge
  using (is_invalid or key = nullif(current_setting('app.declared_key', true), ''));
create policy declared_marks on tenant_settings for update to tenantry_purge
  using (key = nullif(current_setting('app.declared_key', true), ''));
create policy declared on user_settings for select to tenantry_purge
  using (is_invalid or key = nullif(current_setting('app.declared_key', true), ''));
create policy declared_marks on user_settings for update to tenantry_purge
  using (key = nullif(current_setting('app.declared_key', true), ''));
create policy declared_end on user_settings for delete to tenantry_purge
  using (key = nullif(current_setting('app.declared_key', true), ''));
create policy declared on tenant_setting_secrets to tenantry_purge using (true);
create policy declared on tenant_setting_versions to tenantry_purge
  using (key = nullif(current_setting('app.declared_key', true), ''));
create policy declared on global_setting_versions to tenantry_purge using (true);
create policy declared on global_setting_secrets to tenantry_purge using (true);
grant update (is_invalid) on tenant_settings, user_settings to tenantry_purge;
grant select, delete on global_setting_versions, global_setting_secrets to tenantry_purge;
-- Rotating the secret key rewrites these secrets. They are deleted if the key is lost.
grant update (sealed) on tenant_setting_secrets, global_setting_secrets to tenantry_purge;
-- Attributes change only in the scope of the built-in tenant. A declaration reads and marks the values of its key in all
-- tenants, and maintenance deletes the values of a deleted one.
alter table attributes enable row level security;
create policy listed on attributes for select to tenantry_app using (true);
create policy product on attributes to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant select, insert, update, delete on attributes to tenantry_app;
alter table attribute_removals enable row level security;
create policy product on attribute_removals to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
create policy removed on attribute_removals to tenantry_purge using (true);
grant select, insert, delete on attribute_removals to tenantry_app, tenantry_purge;
create policy declared on user_attributes to tenantry_purge
  using (key = nullif(current_setting('app.attribute_key', true), ''));
create policy declared on tenant_attributes to tenantry_purge
  using (key = nullif(current_setting('app.attribute_key', true), ''));
grant update (folded, is_invalid) on user_attributes, tenant_attributes to tenantry_purge;
-- The list of tenants filters by the values of all tenants, and shows them.
create policy searched on tenant_attributes for select to tenantry_search using (true);
grant select on tenant_attributes to tenantry_search;
-- Every replica reads all flags. They change only in the scope of the built-in tenant.
alter table flags enable row level security;
create policy listed on flags for select to tenantry_app using (true);
create policy product on flags to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table flag_overrides enable row level security;
create policy listed on flag_overrides for select to tenantry_app using (true);
create policy product on flag_overrides to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant select, insert, update, delete on flags, flag_overrides to tenantry_app;
grant usage on sequence flag_revisions to tenantry_app;

-- An e-mail's domain selects its tenant. A tenant claims and releases domains only for itself.
alter table domain_owners enable row level security;
create policy listed on domain_owners for select to tenantry_app using (true);
create policy own on domain_owners to tenantry_app
  using (owner_tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
create policy removed_tenant on domain_owners to tenantry_purge
  using (owner_tenant_id = nullif(current_setting('app.removed_tenant_id', true), '')::uuid);
grant select, delete on domain_owners to tenantry_purge;

-- Each role sees only the keys of its own purpose. The role of requests does not see the keys that sign the chain.
alter table signing_keys enable row level security;
create policy token_keys on signing_keys to tenantry_app using (purpose <> 'audit');
create policy audit_keys on signing_keys to tenantry_seal using (purpose = 'audit');

-- Login reaches the users of the account that is proving its password. A person reads their memberships in all
-- tenants, and reads and ends their sessions there. The role changes none.
create policy account_scope on users for select to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy account_scope on sessions to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
grant select (id, session_epoch) on accounts to tenantry_login;
grant select (tenant_id, id, account_id, username, nickname, status, last_login_at) on users to tenantry_login;
grant select (tenant_id, id, user_id, account_id, account_epoch, sign_in_id, is_shared, amr, ip, user_agent, created_at, last_used_at,
  expires_at, latest_expires_at, application_id, resource_id, auth_time, is_offline, connection_id), delete on sessions to tenantry_login;
-- A tenant can close the provider of a session.
grant select (id, slug, status) on providers to tenantry_login;
grant select (id, provider_id) on identities to tenantry_login;
-- A person that has proved a mailbox reads the invitations to it in all tenants.
create policy of_address on invitations for select to tenantry_login
  using (email_folded = nullif(current_setting('app.email_folded', true), ''));
grant select (tenant_id, id, email, email_folded, nickname, status, created_at, expires_at, closed_at) on invitations
  to tenantry_login;
-- Disabling or deleting an application or a resource ends its sessions in all tenants.
create policy of_application on sessions to tenantry_login
  using (application_id = nullif(current_setting('app.application_id', true), '')::bigint);
create policy of_resource on sessions to tenantry_login
  using (resource_id = nullif(current_setting('app.resource_id', true), '')::bigint);
-- Disallowing unregistered applications ends their sessions, except in tenants whose own setting allows them.
create policy of_unregistered on tenant_settings for select to tenantry_login using (key = 'auth.unregistered_applications');
grant select (tenant_id, key, value) on tenant_settings to tenantry_login;
-- A sign-in skips tenants that require a connection, unless the person is a break-glass user there.
create policy of_connections on tenant_settings for select to tenantry_login using (key = 'auth.sso');
-- A new password obeys the rules of all tenants of the person.
-- A sign-in skips tenants that have closed its way.
create policy of_ways on tenant_settings for select to tenantry_login using (key = 'auth.ways');
grant select (key, value) on global_settings to tenantry_login;
create policy of_passwords on tenant_settings for select to tenantry_login using (key = 'auth.passwords');
create policy account_scope on sso_exemptions for select to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
grant select (tenant_id, user_id, account_id) on sso_exemptions to tenantry_login;
grant select (account_id, is_confirmed) on factors to tenantry_login;
-- Ending a session of an application queues its logout token. Consents to a resource end with it.
create policy of_resource on grants to tenantry_login
  using (resource_id = nullif(current_setting('app.resource_id', true), '')::bigint);
grant select (tenant_id, id, resource_id), delete on grants to tenantry_login;
grant select (id, client_id, origin, name, backchannel_logout_uri) on applications to tenantry_login, tenantry_purge;
grant insert on logout_queue to tenantry_login, tenantry_purge;
grant select (id, name, slug, status, deleted_at) on tenants to tenantry_login;

-- Search reads ids across tenants. LIKE is not leakproof: with any other policy PostgreSQL could not use its index.
-- The statement names the tenant, and the rows of the ids are read under the policy of requests (decision 0008).
create policy searched on users for select to tenantry_search using (true);
grant select (tenant_id, id, search_folded, status, last_seen_on) on users to tenantry_search;
-- Finds the tenants' own roles that have a new template's name.
create policy searched on roles for select to tenantry_search using (true);
grant select (tenant_id, id, name_folded) on roles to tenantry_search;
-- Maintenance finds the tenants that have no row of yesterday.
create policy ending on user_roles for select to tenantry_search using (expires_at is not null);
grant select (tenant_id, id, user_id, role_id, source, expires_at, warn_at) on user_roles to tenantry_search;
-- The list of tenants counts their administrators, and the users of their limits.
create policy administering on user_roles for select to tenantry_search using (role_id in (1, 2));
create policy searched on sso_exemptions for select to tenantry_search using (true);
grant select (tenant_id, user_id) on sso_exemptions to tenantry_search;
create policy of_limits on tenant_settings for select to tenantry_search using (key = 'tenantry.limits');
grant select (tenant_id, key, value) on tenant_settings to tenantry_search;
grant select (key, value) on global_settings to tenantry_search;
create policy ending on service_account_keys for select to tenantry_search using (warn_at is not null);
grant select (tenant_id, id, warn_at) on service_account_keys to tenantry_search;
create policy open on elevations for select to tenantry_search using (ended_at is null);
grant select (tenant_id, ends_at, ended_at) on elevations to tenantry_search;
create policy ending on eligible_roles for select to tenantry_search using (expires_at is not null);
grant select (expires_at) on eligible_roles to tenantry_search;
create policy account_scope on elevations for select to tenantry_login
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
grant select (account_id, started_at) on elevations to tenantry_login;
-- Support sessions: maintenance ends them, an actor finds the own ones in all tenants, and a person those as the own users.
create policy active on support_sessions for select to tenantry_search using (status = 'active');
grant select (tenant_id, id, status, ends_at, ended_at) on support_sessions to tenantry_search;
create policy account_scope on support_sessions for select to tenantry_login
  using (nullif(current_setting('app.account_id', true), '')::bigint in (account_id, actor_account_id));
grant select on support_sessions to tenantry_login;
-- Maintenance closes reviews that are due.
create policy due on reviews for select to tenantry_search using (closed_at is null);
grant select (tenant_id, id, due_at, closed_at) on reviews to tenantry_search;
create policy searched on tenant_days for select to tenantry_search using (true);
grant select (tenant_id, day) on tenant_days to tenantry_search;
-- A process with streams finds ended sessions, because the replica that ended one may have lost Redis and sent no
-- message (decision 0128).
create policy searched on sessions for select to tenantry_search using (true);
grant select (tenant_id, id) on sessions to tenantry_search;
-- Maintenance finds the domains that it must check again.
create policy searched on domains for select to tenantry_search using (true);
grant select (tenant_id, id, status, checked_at) on domains to tenantry_search;
-- Maintenance finds the connections with expiring certificates or due metadata.
create policy searched on connections for select to tenantry_search using (true);
grant select (tenant_id, id, warn_at, look_at) on connections to tenantry_search;
-- Maintenance finds the setup links that have not ended.
create policy searched on setup_links for select to tenantry_search using (true);
grant select (tenant_id, id, expires_at, ended_at) on setup_links to tenantry_search;
-- Delivery finds the tenants with something to deliver. It sees only positions and times.
create policy searched on webhooks for select to tenantry_search using (true);
create policy searched on webhook_leases for select to tenantry_search using (true);
create policy searched on audit_seals for select to tenantry_search using (true);
grant select (tenant_id, id, status, all_tenants, verified_at, seal, next_attempt_at, is_slow) on webhooks to tenantry_search;
grant select (tenant_id, replica_id, ends_at) on webhook_leases to tenantry_search;
grant select (tenant_id, sequence, number, record_ids, newest_at) on audit_seals to tenantry_search;
grant select (id, name, slug, status, created_at, updated_at, deleted_at) on tenants to tenantry_search;

-- Sealing finds the tenants with something to seal. No role of the service may update a record, a seal or a tombstone.
create policy waiting on audit_unsealed for select to tenantry_seal using (true);
grant select on audit_logs, tenants to tenantry_seal;
grant select, insert, delete on audit_unsealed to tenantry_seal;
grant select, insert on audit_seals, audit_tombstones to tenantry_seal;
grant usage on sequence audit_seals_number_seq to tenantry_seal;
grant select, insert, update on audit_heads to tenantry_seal;
grant select, insert, update (private_pem, private_sealed, retired_at) on signing_keys to tenantry_seal;

-- A purge removes a tenant's own row only with its mark of removal. It finds the accounts with a user elsewhere, which
-- it names in the setting.
create policy removed on tenants for delete to tenantry_purge using (deleted_at is not null);
create policy of_accounts on users for select to tenantry_purge
  using (account_id = any (nullif(current_setting('app.account_ids', true), '')::bigint[]));
grant select (id), delete on accounts to tenantry_purge;
grant select, delete on tenants, webhook_secrets, connection_secrets, catalogue_removals to tenantry_purge;

-- Retention reaches records of the tenant in scope that were written before a moment. A statement sets that moment
-- from the tenant's own setting (chain.store.ts). No value of it reaches records younger than 30 days.
create policy expired on audit_logs to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and created_at < nullif(current_setting('app.expired_before', true), '')::timestamptz
    and created_at < now() - interval '30 days');
create policy expired on audit_seals to tenantry_purge
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and newest_at < nullif(current_setting('app.expired_before', true), '')::timestamptz
    and newest_at < now() - interval '30 days');
-- Expired records wait here until their archive has deleted them. A check of the chain accepts them.
create policy leftover on audit_leftovers to tenantry_purge using (true);
grant insert on audit_leftovers to tenantry_purge;
grant select on audit_leftovers to tenantry_app;
grant select on audit_archives to tenantry_app, tenantry_seal, tenantry_purge;
-- Retention finds the tenants with that setting before it has a tenant in scope. It counts the records that the
-- tenant's hooks and those of all tenants miss.
create policy audit_retention on tenant_settings for select to tenantry_purge using (key = 'audit.retention_days'
  and tenant_id = coalesce(nullif(current_setting('app.tenant_id', true), '')::uuid, tenant_id));
create policy expiring on webhooks for select to tenantry_purge
  using (all_tenants or (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and coalesce(current_setting('app.expired_before', true), '') <> ''));
create policy counted on webhooks for update to tenantry_purge
  using (all_tenants or (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
    and coalesce(current_setting('app.expired_before', true), '') <> ''));
grant update (missed) on webhooks to tenantry_purge;

-- Sweeping reaches the expired rows of every tenant.
create policy expired on sessions to tenantry_purge using (expires_at < now());
create policy closed on invitations to tenantry_purge
  using (coalesce(closed_at, expires_at) < now() - interval '90 days');
create policy expired on setup_guests to tenantry_purge using (expires_at < now());
create policy closed on setup_links to tenantry_purge
  using (ended_at is not null and expires_at < now() - interval '90 days');
create policy expired on sendings to tenantry_purge using (created_at < now() - interval '180 days');
create policy expired on reviews for select to tenantry_purge using (closed_at < now() - interval '30 days');
create policy expired on webhook_deliveries to tenantry_purge using (created_at < now() - interval '30 days');
create policy expired on tenant_setting_versions to tenantry_purge
  using (not is_deleted and changed_at < now() - interval '400 days');
create policy expired on sso_attempts to tenantry_purge using (expires_at < now());
create policy expired on sso_outcomes to tenantry_purge using (at < now() - interval '30 days');
create policy expired on setting_secret_reads to tenantry_purge using (read_at < now() - interval '1 day');

-- Maintenance deletes the rows of a removed permission or template, in every tenant. It reaches only those that a
-- statement has put in scope, which reads the removal (catalogue.store.ts).
create policy removed_from_catalogue on user_roles to tenantry_purge
  using (role_id = nullif(current_setting('app.removed_template_id', true), '')::bigint);
create policy removed_from_catalogue on role_permissions to tenantry_purge
  using (permission_id = nullif(current_setting('app.removed_permission_id', true), '')::integer);

-- An import keeps the ids of its rows, and raises the counters above them (transfer.store.ts).
grant usage, update on sequence users_id_seq, roles_id_seq, notifications_id_seq, sendings_id_seq, audit_logs_id_seq
  to tenantry_import;
