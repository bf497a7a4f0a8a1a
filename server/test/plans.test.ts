/**
 * The plans of the statements that most requests run, at a size where a wrong plan is slow. They are the stores' own
 * statements, as the role of requests, in the scope of one tenant.
 */
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectCodesOfUser, selectPrincipal } from '../src/access/authority.store.ts'
import { selectGuest } from '../src/access/guests.store.ts'
import { selectCaller } from '../src/access/caller.store.ts'
import type { Statement } from '../src/db/batch.ts'
import { syncCatalogue } from '../src/access/catalogue.store.ts'
import type { Db, DbRole, Scope, TransactionDb } from '../src/db/client.ts'
import { openStore } from '../src/db/open.ts'
import { longReadSettings, dbOver, scopeStatement, settingsOf } from '../src/db/scope.ts'
import { deleteExpiredRows } from '../src/db/sweep.ts'
import type { Admission } from '../src/features/federation/oauth/request/authorization-request.ts'
import { createTestDatabase, onPostgres, type TestDatabase } from './test-database.ts'
import * as audit from '../src/features/audit/audit/audit.store.ts'
import * as chain from '../src/features/audit/audit/chain.store.ts'
import * as clients from '../src/features/federation/applications/clients.store.ts'
import * as grants from '../src/features/federation/applications/grants.store.ts'
import * as resources from '../src/features/federation/applications/resources.store.ts'
import * as accounts from '../src/features/accounts/accounts/accounts.store.ts'
import * as auth from '../src/features/sign-in/auth/auth.store.ts'
import * as dashboard from '../src/features/tenancy/dashboard/dashboard.store.ts'
import * as personal from '../src/features/sign-in/personal-data/personal-data.store.ts'
import * as notifications from '../src/features/delivery/notifications/notifications.store.ts'
import * as catalogue from '../src/features/accounts/roles/catalogue.store.ts'
import * as supportEnds from '../src/features/accounts/sessions/support-ends.store.ts'
import * as openings from '../src/features/sign-in/support/openings.store.ts'
import * as support from '../src/features/sign-in/support/support.store.ts'
import {
  lockSupport,
  lockSupporter,
  selectOpening,
  selectSupport,
  selectSupportOf,
  upsertSupportRequest,
} from '../src/access/support.store.ts'
import { cancelRequestsOf } from '../src/access/approvals.store.ts'
import * as approvals from '../src/features/tenancy/approvals/approvals.store.ts'
import * as approvalPolicies from '../src/features/tenancy/approvals/policies.store.ts'
import * as assignments from '../src/features/accounts/roles/assignments.store.ts'
import * as elevations from '../src/features/accounts/roles/elevations.store.ts'
import * as eligibility from '../src/features/accounts/roles/eligibility.store.ts'
import * as roles from '../src/features/accounts/roles/roles.store.ts'
import * as keys from '../src/features/accounts/service-accounts/keys.store.ts'
import * as invitations from '../src/features/tenancy/invitations/invitations.store.ts'
import * as portal from '../src/features/configuration/portal/portal.store.ts'
import * as robots from '../src/features/sign-in/robots/robots.store.ts'
import * as factors from '../src/features/accounts/factors/factors.store.ts'
import * as links from '../src/features/accounts/mail/links.store.ts'
import * as mail from '../src/features/accounts/mail/mail.store.ts'
import * as queue from '../src/db/queue.ts'
import * as logouts from '../src/features/federation/oauth/logout/logout-queue.store.ts'
import * as devices from '../src/features/federation/oauth/devices/devices.store.ts'
import * as codes from '../src/features/federation/oauth/token/authorization-codes.store.ts'
import * as interactions from '../src/features/federation/oauth/interaction/interactions.store.ts'
import * as signIns from '../src/features/federation/oauth/browser/sign-ins.store.ts'
import { expiredAuthorizations } from '../src/features/federation/oauth/sweep.store.ts'
import { selectPicture } from '../src/features/federation/oauth/token/userinfo.store.ts'
import { builtInTenant } from '../src/access/permissions.ts'
import * as appSessions from '../src/features/accounts/sessions/application-sessions.store.ts'
import * as ofApplications from '../src/features/accounts/sessions/application-ends.store.ts'
import * as browserSignIns from '../src/features/accounts/sessions/browser-sign-ins.store.ts'
import * as sessions from '../src/features/accounts/sessions/sessions.store.ts'
import { filterableOfGroup, filterableOfUser } from '../src/features/tenancy/scim/filterable.ts'
import { readFilter } from '../src/features/tenancy/scim/grammar.ts'
import * as directoryGroups from '../src/features/tenancy/scim/groups.store.ts'
import { predicateOf } from '../src/features/tenancy/scim/predicates.ts'
import * as directoryUsers from '../src/features/tenancy/scim/users.store.ts'
import * as ofConnection from '../src/features/accounts/sessions/connection-ends.store.ts'
import * as linking from '../src/features/federation/linking/linking.store.ts'
import * as outcomes from '../src/features/federation/linking/outcomes.store.ts'
import * as attempts from '../src/features/federation/sso/attempts.store.ts'
import * as identities from '../src/features/accounts/identities/identities.store.ts'
import { pastAttempts } from '../src/features/federation/providers/sweep.store.ts'
import * as reviewItems from '../src/features/federation/reviews/items.store.ts'
import * as reviews from '../src/features/federation/reviews/reviews.store.ts'
import * as setups from '../src/features/federation/setup/setup.store.ts'
import { pastSignIns } from '../src/features/federation/sso/sweep.store.ts'
import * as connections from '../src/features/federation/sso/connections.store.ts'
import * as domains from '../src/features/federation/sso/domains.store.ts'
import * as saml from '../src/features/federation/sso/saml.store.ts'
import * as settings from '../src/features/configuration/settings/settings.store.ts'
import * as attributeValues from '../src/features/configuration/attributes/attributes.store.ts'
import { selectFilled } from '../src/features/configuration/attributes/filled.store.ts'
import * as attributes from '../src/features/configuration/attributes/filters.store.ts'
import { usersWith, type AttributeFilter } from '../src/features/configuration/attributes/filters.sql.ts'
import * as definitions from '../src/features/configuration/settings/definitions.store.ts'
import { oldRows } from '../src/features/configuration/settings/secrets.store.ts'
import * as signUps from '../src/features/tenancy/sign-up/sign-up.store.ts'
import * as listing from '../src/features/accounts/users/listing.store.ts'
import {
  deleteConnectionSecrets,
  deleteFlagOverrides,
  selectTenants,
  selectTenantsWithFigures,
} from '../src/features/tenancy/tenants/tenants.store.ts'
import { updateResource } from '../src/features/accounts/users/pushed.store.ts'
import * as users from '../src/features/accounts/users/users.store.ts'
import * as sendings from '../src/features/delivery/notifications/sendings.store.ts'
import * as events from '../src/features/delivery/events/events.store.ts'
import * as log from '../src/features/audit/audit/sealed-log.store.ts'
import * as deliveries from '../src/features/delivery/webhooks/deliveries.store.ts'
import * as webhooks from '../src/features/delivery/webhooks/webhooks.store.ts'
import { totalMax } from '../src/http/schemas.ts'
import { selectTakenNames } from '../src/features/tenancy/imports/imports.store.ts'
import {
  lockAuthorityAgainstChange,
  lockTenantAgainstRemoval,
  lockTenantAuthority,
} from '../src/access/tenancy.store.ts'

/** One tenant is large, and holds the greater part of all rows: a plan for it is tempted to read them all. */
const tenantId = randomUUID()
const sessionId = randomUUID()
/** Of no link. */
const tokenHash = Buffer.alloc(32)
const sizes = { tenants: 300, emptyTenants: 20_000, users: 40_000, records: 60_000 }

/** 20 seconds on two quiet cores; more than two minutes beside the whole of the tests there. */
const seedingMs = 600_000

/** Users and records of each small tenant, and of the large one. Everything else follows from the number of users. */
const seed = `
do $seed$
declare
  tenant uuid;
  users_max int;
  records_max int;
  first_user bigint;
begin
  insert into applications (client_id, name, name_folded, kind, is_third_party, redirect_uris, grant_types, created_at,
      updated_at)
    select 'client ' || n, 'App', 'app', 'web', true, '{}', '{}', now(), now() from generate_series(1, 500) n;
  insert into application_secrets (id, application_id, secret_hash, created_at)
    select gen_random_uuid(), id, sha256(client_id::bytea), now() from applications;
  insert into resources (identifier, identifier_folded, name, permission_ids, created_at)
    select 'urn:' || n, 'urn:' || n, 'Any', '{}', now() from generate_series(1, 100) n;
  insert into logout_queue (uri, client_id, session_tenant, user_id, session_id, next_attempt_at)
    select 'https://app.example.com', 'client ' || n % 5, gen_random_uuid(), n, gen_random_uuid(), now() + n * interval '1 s'
    from generate_series(-5000, 5000) n;
  for number in 0..${sizes.tenants} loop
    tenant := case when number = 0 then '${tenantId}'::uuid else gen_random_uuid() end;
    users_max := case when number = 0 then ${sizes.users} else 30 end;
    records_max := case when number = 0 then ${sizes.records} else 100 end;
    perform set_config('role', 'tenantry_app', true), set_config('app.tenant_id', tenant::text, true);
    insert into tenants (id, name, slug, created_at, updated_at)
      values (tenant, 'Tenant ' || number, 'tenant-' || number, now(), now());
    with created as (
      insert into accounts (email, email_folded, password_hash)
      select name, name, 'none' from generate_series(1, users_max) n,
        lateral (select 'user' || n || '@' || number || '.example.com' as name) named
      returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status,
      last_seen_on, created_at, updated_at)
    select tenant, id, email, split_part(email, '@', 1), split_part(email, '@', 1), '',
      split_part(email, '@', 1) || E'\\n' || email || E'\\n', case when id % 50 = 0 then 0 else 1 end,
      current_date - (id % 90)::int, now() - interval '1 day' * (id % 400), now()
    from created order by id;
    insert into tenant_days (tenant_id, day, users, roles, tenants, sign_ups, active_users)
      select tenant, current_date - n, users_max, 6, 1, 0, 0 from generate_series(2, 90) n;
    select min(id) into first_user from users where tenant_id = tenant;
    insert into connections (tenant_id, id, type, name, config, scim_account_id, created_at, updated_at)
      values (tenant, tenant, 'oidc', 'Any', '{}', first_user, now(), now());
    insert into connections (tenant_id, id, type, name, config, warn_at, look_at, created_at, updated_at)
      select tenant, gen_random_uuid(), 'saml', 'Any', '{}', now() + interval '1 minute' * n, now() + interval '1 minute' * n,
        now(), now()
      from generate_series(0, 3) n;
    insert into connection_secrets (id, connection_tenant_id, sealed) select id, tenant, '' from connections where tenant_id = tenant;
    insert into domains (tenant_id, domain, token, status, connection_id, created_at, checked_at)
      select tenant, 'd' || n || '.' || number || '.example.com', '', 'verified', tenant, now(), now() + interval '1 minute' * n
      from generate_series(0, 19) n;
    insert into domain_owners (domain, owner_tenant_id) select domain, tenant from domains where tenant_id = tenant;
    insert into sso_attempts (tenant_id, id, connection_id, interaction_id, browser_hash, is_test, state_hash, expires_at)
      select tenant, gen_random_uuid(), tenant, gen_random_uuid(), sha256(''), false, sha256((tenant || ' ' || n)::bytea),
        now() + interval '1 minute' * (n % 600)
      from generate_series(1, users_max / 10) n;
    insert into sso_outcomes (tenant_id, connection_id, at, outcome, ip)
      select tenant, c.id, now() - interval '1 minute' * n, 'signed_in', '' from connections c, generate_series(1, 200) n
      where c.tenant_id = tenant;
    insert into scim_users (tenant_id, id, connection_id, user_id, external_id, user_name, user_name_folded, email,
        email_folded, active, created_at, updated_at)
      select tenant, md5(tenant || ' ' || id)::uuid, tenant, id, 'e' || id, email, email, email, email, true, created_at, now()
      from users where tenant_id = tenant;
    insert into scim_groups (tenant_id, id, connection_id, display_name, display_name_folded, created_at, updated_at)
      select tenant, md5(tenant || ' group ' || n)::uuid, tenant, 'Group ' || n, 'group ' || n, now() + n * interval '1 s', now()
      from generate_series(1, greatest(users_max / 40, 3)) n;
    insert into scim_group_members (tenant_id, group_id, member_id)
      select tenant, md5(tenant || ' group ' || (1 + id % 3))::uuid, md5(tenant || ' ' || id)::uuid
      from users where tenant_id = tenant and id % 7 = 0;
    insert into sso_links (tenant_id, connection_id, subject, user_id, proof, created_at)
      select tenant, tenant, id, id, 'created', now() from users where tenant_id = tenant;
    insert into sso_exemptions (tenant_id, user_id, account_id, created_at)
      select tenant, id, account_id, now() from users where tenant_id = tenant and id % 10 = 0;
    insert into group_mappings (tenant_id, connection_id, group_name, role_id)
      select tenant, tenant, g.id, n from scim_groups g, generate_series(1, 3) n where g.tenant_id = tenant;
    insert into roles (tenant_id, name, name_folded, created_at)
      select tenant, 'role ' || n, 'role ' || n, now() from generate_series(1, 6) n;
    insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
      select tenant, r.id, p.id, false from roles r, permissions p where r.tenant_id = tenant and not p.platform_only;
    insert into user_roles (tenant_id, user_id, role_id)
      select tenant, u.id, r.id from users u, (select min(id) as id from roles where tenant_id = tenant) r
      where u.tenant_id = tenant;
    insert into user_roles (tenant_id, user_id, role_id)
      select tenant, u.id, r.id from users u, (select max(id) as id from roles where tenant_id = tenant) r
      where u.tenant_id = tenant and u.id % 4 = 0;
    update user_roles set expires_at = now() + interval '1 minute' * user_id, warn_at = now() + interval '1 second' * user_id
      where tenant_id = tenant and user_id % 100 = 0;
    insert into eligible_roles (tenant_id, user_id, role_id, max_minutes, given_by, given_at)
      select tenant, u.id, r.id, 60, first_user, now() from users u, roles r
      where u.tenant_id = tenant and r.tenant_id = tenant and u.id % 4 = 1;
    update eligible_roles set expires_at = now() + interval '1 minute' * user_id
      where tenant_id = tenant and user_id % 100 = 1;
    insert into elevations (tenant_id, user_id, account_id, role_id, session_id, factor_ids, reason, started_at, ends_at, ended_at)
      select tenant, u.id, u.account_id, e.role_id, gen_random_uuid(), '{}', '', now() - interval '1 hour' * (u.id % 1000),
        now() + interval '1 minute' * (u.id % 480), case when u.id % 40 > 1 then now() end
      from users u join eligible_roles e on e.tenant_id = tenant and e.user_id = u.id where u.tenant_id = tenant;
    insert into approvals (tenant_id, requester_id, requester_account, requester_name, operations, approvals, method, path, change,
        concerned, reason, digest, break_glass, status, created_at, expires_at)
      select tenant, first_user + n % 100, 1, 'a', '{user.delete}', 1, 'DELETE', '/users/1', '{}', '{}', 'a ticket', sha256(''),
        n % 50 = 0, (array['done', 'pending', 'rejected'])[1 + n % 3], now() - interval '1 minute' * n, now() + interval '1 hour'
      from generate_series(1, users_max) n;
    insert into approval_policies (tenant_id, operation, approvals, permission_codes, break_glass)
      select tenant, 'operation ' || n, 1, '{}', false from generate_series(1, 50) n;
    insert into approval_decisions (tenant_id, approval_id, user_id, account_id, username, approve, comment, decided_at)
      select tenant, id, first_user, n, 'a', true, '', now() from approvals, generate_series(1, 2) n where tenant_id = tenant;
    insert into sessions (tenant_id, id, user_id, account_id, rotated_at, created_at, expires_at)
      select tenant, gen_random_uuid(), id, account_id, now(), now(), now() + interval '1 day' from users
      where tenant_id = tenant and id % 10 = 0;
    update sessions set application_id = 1 + user_id / 10 % 500, resource_id = 1 + user_id / 10 % 100
      where tenant_id = tenant and user_id % 20 = 0;
    update sessions set connection_id = tenant where tenant_id = tenant and user_id % 100 = 0;
    insert into grants (tenant_id, user_id, application_id, resource_id, host, scopes, created_at)
      select tenant, id, 1 + id % 500, (id % 101), 'example.com', '{openid}', now() from users where tenant_id = tenant;
    insert into eligible_roles (tenant_id, user_id, role_id, max_minutes, given_by, given_at)
      select tenant, id, 1, 60, first_user, now() from users where tenant_id = tenant and id % 5 = 0;
    insert into reviews (tenant_id, name, kinds, reviewer_ids, due_at, created_by, created_by_name, created_at, closed_at)
      select tenant, 'Review ' || n, '{roles}', array[first_user], now() + interval '1 minute' * n, first_user, 'root', now(),
        case when n > 1 then now() - interval '1 day' * n end
      from generate_series(1, greatest(users_max / 20, 3)) n;
    insert into review_items (tenant_id, review_id, kind, source, subject_id, subject_name, subject_type, what_id, what_name, given_by,
        given_by_name, given_at, object_id, state)
      select tenant, v.id, 'roles', 'manual', u.id, u.username, 'user', 1, 'Editors', 1, 'root', now(), u.id, ''
      from users u, (select min(id) as id from reviews where tenant_id = tenant) v where u.tenant_id = tenant;
    insert into service_accounts (tenant_id, name, name_folded, created_at)
      select tenant, 'service ' || n, 'service ' || n, now() from generate_series(1, greatest(users_max / 40, 3)) n;
    insert into service_account_keys (tenant_id, account_id, name, prefix, secret_hash, created_by, created_at, expires_at,
        warn_at)
      select tenant, id, 'key', 'tnt_', sha256((id || '-' || n)::bytea), first_user, now(), now() + interval '1 day' * (20 + n),
        now() + interval '1 minute' * (id % 1000)
      from service_accounts, generate_series(1, 10) n where tenant_id = tenant;
    insert into invitations (tenant_id, email, email_folded, inviter_tenant_id, invited_by, token_hash, is_mailed, sent_on,
        created_at, expires_at)
      select tenant, 'invited' || n || '@example.com', 'invited' || n || '@example.com', tenant, first_user,
        sha256((tenant || '-' || n)::bytea), true, current_date - n % 90, now(), now() + interval '7 days'
      from generate_series(1, greatest(users_max / 4, 3)) n;
    insert into mail_queue (id, kind, email, language, invitation_tenant_id, invitation_id, sealed_token, created_at,
        expires_at, next_attempt_at)
      select gen_random_uuid(), 'invitation', email, 'en', tenant, id, '', now(), now() + interval '7 days',
        now() + interval '1 minute' * (id % 100) from invitations where tenant_id = tenant;
    insert into setup_links (tenant_id, id, email, token_hash, parts, may_activate, maker_tenant_id, created_by, scim_account_id,
        created_at, expires_at, ended_at)
      select tenant, md5(tenant || ' set-up ' || n)::uuid, 'it' || n || '@example.com', sha256((tenant || ' set-up ' || n)::bytea),
        '{connection}', false, tenant, first_user, n, now(), now() + interval '1 minute' * n, case when n % 20 > 0 then now() end
      from generate_series(1, greatest(users_max / 4, 3)) n;
    insert into setup_guests (tenant_id, token_hash, link_id, expires_at)
      select tenant, sha256(('guest ' || id)::bytea), id, expires_at from setup_links where tenant_id = tenant;
    insert into mail_queue (id, kind, email, language, setup_link_id, sealed_token, created_at, expires_at, next_attempt_at)
      select gen_random_uuid(), 'setup', email, 'en', id, '', now(), now() + interval '7 days', now() + interval '1 hour'
      from setup_links where tenant_id = tenant;
    insert into email_codes (challenge_hash, code_mac, email_folded, setup_link_id, expires_at)
      select sha256(('set-up code ' || id)::bytea), sha256(''), email, id, now() + interval '1 second' * (extract(epoch from expires_at)::int % 600)
      from setup_links where tenant_id = tenant;
    insert into tenant_settings (tenant_id, key, value, version, updated_at)
      select tenant, 'setting.' || n, '1', 1 + greatest(users_max / 10, 20) / 20 + 1, now() from generate_series(1, 20) n;
    insert into tenant_setting_secrets (tenant_id, key, id, sealed, version, updated_at)
      select tenant, 'secret.' || n, tenant || ' secret.' || n, '', 1, now() from generate_series(1, greatest(users_max / 400, 10)) n;
    insert into tenant_setting_versions (tenant_id, key, version, value, is_deleted, changed_by, changed_at)
      select tenant, 'setting.' || n % 20, 1 + n / 20, '1', false, first_user, now() - interval '1 day' * (n % 405)
      from generate_series(0, greatest(users_max / 10, 20)) n;
    insert into user_settings (tenant_id, user_id, key, value, is_invalid, updated_at)
      select tenant, id, 'setting.' || id % 20, '1', id % 1000 = 0, now() from users where tenant_id = tenant;
    insert into user_attributes (tenant_id, user_id, key, value, folded, updated_at)
      select tenant, u.id, a.key, to_jsonb(a.value), a.value, now() from users u,
        lateral (values ('area', 'a' || u.id % 3), ('level', 'l' || u.id % 50)) as a (key, value) where u.tenant_id = tenant;
    insert into tenant_attributes (tenant_id, key, value, folded, updated_at)
      select tenant, 'plan' || n, '"gold"', 'gold', now() from generate_series(1, greatest(users_max / 10, 20)) n;
    insert into notifications (tenant_id, user_id, title, is_read, created_at)
      select tenant, first_user + n % users_max, 'a notice', n % 3 > 0, now() from generate_series(1, records_max / 5) n;
    insert into sendings (tenant_id, sender_tenant_id, sender_id, user_id, recipient, title, type, total, sent, position,
        last_id, created_at)
      select tenant, tenant, first_user + n % users_max, first_user + (n + 1) % users_max, 'user', 'a notice', 'info', 1, 1, 0,
        0, now() from generate_series(1, records_max / 5) n;
    insert into support_sessions (tenant_id, id, user_id, user_name, account_id, actor_tenant_id, actor_id, actor_account_id,
        actor_name, kind, reason, minutes, permissions, status, created_at, expires_at, started_at, ends_at, session_id,
        account_epoch, amr)
      select tenant, gen_random_uuid(), u.id, u.username, u.account_id, tenant, u.id + 1, u.account_id + 1, 'actor', 'view', 'any', 5,
        '{user:read}', case when u.id % 50 = 0 then 'active' when u.id % 7 = 0 then 'waiting' else 'over' end,
        now() - interval '1 minute' * (u.id % 100000), now() + interval '1 day', now(), now() + interval '1 second' * (u.id % 3600),
        gen_random_uuid(), 0, '{mfa,otp,pwd}'
      from users u where u.tenant_id = tenant and u.id % 5 = 0;
    update support_sessions set id = '${sessionId}'
      where tenant_id = tenant and id = (select id from support_sessions where tenant_id = tenant limit 1);
    insert into support_openings (tenant_id, id, support_id, application_id, code_hash, code_challenge, code_until, used_at)
      select tenant, s.id, s.id, 1, sha256(s.id::text::bytea), 'any', now(), now() from support_sessions s where s.tenant_id = tenant;
    insert into support_requests (tenant_id, support_id, method, path)
      select tenant, s.id, 'GET', '/any/' || n from support_sessions s, generate_series(1, 3) n where s.tenant_id = tenant;
    insert into audit_logs (tenant_id, user_id, about_user_id, on_behalf_of, application_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
      select tenant, first_user + n % least(users_max, 1000), case when n % 4 < 2 then first_user + n % users_max end,
        case when n % 50 = 0 then first_user + n % users_max end, case when n % 500 = 0 then 1 + n % 3 end,
        (array['user', 'role', 'setting', 'auth'])[1 + n % 4] ||
        (array['.create', '.update', '.delete', '.read', '.list'])[1 + n % 5],
        (array['user', 'role', 'setting', 'auth'])[1 + n % 4], n % 500, '{}', '', '', '', now() - interval '1 minute' * (records_max - n)
      from generate_series(1, records_max) n;
    insert into webhooks (tenant_id, url, events, created_at, editor_tenant_id, editor_id, verified_at, seal, index, next_attempt_at)
      select tenant, 'https://example.com/', '{*}', now(), tenant, first_user, now(), records_max / 20, 0,
        now() + interval '1 minute' * (n - 3) from generate_series(1, 20) n;
    insert into webhook_secrets (id, webhook_tenant_id, webhook_id, sealed, created_at)
      select gen_random_uuid(), tenant, id, '', now() from webhooks, generate_series(1, 50) where tenant_id = tenant;
    insert into webhook_deliveries (tenant_id, webhook_id, event_id, event, status, attempts, created_at)
      select tenant, id, n, 'user.create', case when n = 1 then 'pending' else 'delivered' end, 1, now() - interval '1 minute' * n
      from webhooks, generate_series(1, records_max / 20) n where tenant_id = tenant;
    perform set_config('role', 'tenantry_seal', true);
    insert into audit_seals (tenant_id, sequence, record_ids, digests, hash, newest_at, statement)
      select tenant, n, '{}', '', decode(repeat('00', 32), 'hex'), now(), 'a statement'
      from generate_series(1, records_max / 20) n;
    perform set_config('role', 'tenantry_app', true);
    if number = 0 then
      insert into sessions (tenant_id, id, user_id, account_id, rotated_at, created_at, expires_at)
        select tenant, '${sessionId}', id, account_id, now(), now(), now() + interval '1 day' from users
        where tenant_id = tenant and id = first_user + 500;
    end if;
  end loop;
  insert into tenants (id, name, slug, created_at, updated_at)
    select gen_random_uuid(), 'Tenant', 'empty-' || n, now(), now() from generate_series(1, ${sizes.emptyTenants}) n;
  insert into account_links (token_hash, account_id, kind, email, expires_at)
    select sha256(('link ' || id)::bytea), id, 'reset', email, now() + interval '1 hour' from accounts;
  insert into mail_queue (id, kind, email, language, link_hash, sealed_token, created_at, expires_at, next_attempt_at)
    select gen_random_uuid(), 'reset', email, 'en', sha256(('link ' || id)::bytea), '', now(), now() + interval '1 hour',
      now() + interval '1 minute' * (id % 100) from accounts;
  insert into mail_counts (email_folded, kind, asked_at)
    select email_folded, 'reset', now() - interval '1 second' * (id % 3000) from accounts;
  insert into account_devices (account_id, device, last_seen_at)
    select id, sha256(('device ' || id)::bytea), now() from accounts;
  insert into factors (id, account_id, type, name, is_confirmed, created_at, credential_id, rp_id, public_key)
    select gen_random_uuid(), id, 'passkey', 'Laptop', true, now(), 'credential ' || id, 'example.com', '' from accounts;
  insert into factors (id, account_id, type, name, is_confirmed, created_at, secret_sealed)
    select gen_random_uuid(), id, 'totp', 'App', id % 100 > 0, now() - interval '1 second' * (id % 600), '' from accounts;
  insert into sign_ins (id, cookie_hash, account_id, account_epoch, amr, auth_time, created_at, last_used_at, expires_at)
    select gen_random_uuid(), sha256(('cookie ' || id)::bytea), id, 0, '{pwd}', now(), now(), now(),
      now() + interval '1 minute' * (id % 1000) from accounts;
  update sign_ins set connection_id = gen_random_uuid(), connection_tenant_id = '${tenantId}', latest_expires_at = expires_at
    where account_id % 10 = 0;
  insert into interactions (id, browser_hash, request, created_at, expires_at)
    select gen_random_uuid(), sha256(('browser ' || id)::bytea), '{}', now(), expires_at from sign_ins;
  insert into authorization_codes (code_hash, application_id, sign_in_id, request, admission, expires_at)
    select sha256(('code ' || s.id)::bytea), p.id, s.id, '{}', '{}', s.expires_at
    from sign_ins s, (select min(id) as id from applications) p;
  insert into device_codes (device_hash, user_code, application_id, request, ip, user_agent, expires_at)
    select sha256(('device ' || s.id)::bytea), s.id::text, p.id, '{}', '', '', s.expires_at
    from sign_ins s, (select min(id) as id from applications) p;
  insert into recovery_codes (account_id, code_hash) select id, sha256(('code ' || id)::bytea) from accounts;
  insert into spent_challenges (signature_hash, expires_at)
    select sha256(n::text::bytea), now() + n * interval '1 second' from generate_series(1, 5000) as n;
  insert into challenges (challenge_hash, ceremony, account_id, account_epoch, expires_at)
    select sha256(('challenge ' || id)::bytea), 'login', id, 0, now() + interval '1 second' * (id % 300) from accounts;
  insert into email_codes (challenge_hash, code_mac, email_folded, account_id, account_epoch, expires_at)
    select sha256(('code ' || id)::bytea), sha256(''), email_folded, id, 0, now() + interval '1 second' * (id % 600) from accounts;
  insert into email_code_guesses (email_folded, wrong_codes, expires_at)
    select email_folded, 1, now() + interval '1 second' * (id % 3600) from accounts;
  insert into mail_queue (id, kind, email, language, code_hash, sealed_token, created_at, expires_at, next_attempt_at)
    select gen_random_uuid(), 'email_code', email_folded, 'en', challenge_hash, '', now(), expires_at, now() + interval '1 hour'
    from email_codes;
  insert into providers (id, slug, kind, name, status, config, sealed, allow_new, created_at, updated_at)
    select md5('provider ' || n)::uuid, 'p' || n, 'google', 'P', 'active', '{}', '', true, now(), now() from generate_series(1, 20) n;
  insert into identities (id, account_id, provider_id, subject, label, created_at)
    select md5('identity ' || id)::uuid, id, md5('provider ' || (1 + id % 20))::uuid, id::text, '', now() from accounts;
  insert into provider_attempts (state_hash, provider_id, browser_hash, purpose, account_id, session_id, expires_at)
    select sha256(('attempt ' || id)::bytea), md5('provider ' || (1 + id % 20))::uuid, sha256(''), 'add', id, gen_random_uuid(),
      now() + interval '1 second' * (id % 600)
    from accounts;
  update accounts set passkey_handle = sha256(('handle ' || id)::bytea) where id % 2 = 0;
  insert into sign_ups (token_hash, organization, slug, email, expires_at)
    select sha256(('sign-up ' || id)::bytea), 'Acme', '', email, now() + interval '1 minute' * (id % 1000) from accounts;
  insert into mail_queue (id, kind, email, language, sign_up_hash, sealed_token, created_at, expires_at, next_attempt_at)
    select gen_random_uuid(), 'sign_up', email, 'en', token_hash, '', now(), expires_at, now() + interval '1 hour' from sign_ups;
  update tenants set founder_account_id = a.id, created_at = now() - interval '1 minute' * a.n
    from (select id, row_number() over () as n from accounts limit 5000) a where slug = 'empty-' || a.n;
  insert into accounts (email, email_folded, password_hash) values ('nobody@example.com', 'nobody@example.com', 'none');
  perform set_config('role', 'none', true);
  update tenant_settings set is_invalid = true where tenant_id = '${tenantId}' and key = 'setting.20';
  insert into global_setting_versions (key, version, value, is_deleted, changed_by, changed_at)
    select 'setting.' || n % 50, 1 + n / 50, '1', false, 1, now() - interval '1 day' * (n % 405) from generate_series(0, 4999) n;
  insert into flags (key, description, type, variants, enabled, off_variant, default_variant, rules, client_side, salt, revision,
      created_at, updated_at)
    select 'flag.' || n, '', 'boolean', '{}', true, 'off', 'off', '[]', false, '', n, now(), now() from generate_series(1, 10) n;
  insert into flag_overrides (flag_key, override_tenant_id, variant)
    select 'flag.' || n, id, 'on' from generate_series(1, 10) n, (select id from tenants limit 1000) t;
  insert into audit_heads (tenant_id, statement) select id, 'a statement' from tenants;
end $seed$`

/** No other plan contains its plan, so only the tables that it reads reveal it. */
const slowFunction = `
create function count_titles(tenant uuid) returns bigint stable language plpgsql as $$
begin
  return (select count(*) from notifications where tenant_id = tenant and title <> '');
end $$`

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Rows that a sort may take: a page. */
const sortedMax = 200
/** Rows that a scan may pass by until its page is full; far below what the tenant has. */
const passedByMax = 5_000
/** Rows that a scan may give: more than any one filter finds, and half of what the tenant has. */
const readMax = 20_000

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** A node's type, and the rows it gave and passed by, in all its loops. */
const figuresOf = (node: PlanNode) => ({
  type: node['Node Type'],
  given: node['Actual Rows'] * node['Actual Loops'],
  passedBy: (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'],
  // The node below: a limit takes only the first rows that a sort has read.
  fed: (node.Plans ?? []).reduce((total, child) => total + child['Actual Rows'] * child['Actual Loops'], 0),
})

const scanFaultsOf = (node: PlanNode, table: string): string[] => {
  const { type, given, passedBy } = figuresOf(node)
  if (type.endsWith('Seq Scan')) return [`reads all of ${table}`]
  if (passedBy > passedByMax) return [`passes by ${passedBy} rows of ${table}`]
  return given > readMax ? [`reads ${given} rows of ${table}`] : []
}

const faultsOf = (node: PlanNode, bound: Set<string>): string[] => {
  const table = node['Relation Name']
  if (table !== undefined) return bound.has(table) ? scanFaultsOf(node, table) : []
  const { type, fed } = figuresOf(node)
  return type.endsWith('Sort') && fed > sortedMax ? [`sorts ${fed} rows`] : []
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`)
}

interface Reads {
  table: string
  scans: number
  rows: number
}

/** Counts the rows that this transaction has read so far. */
const readsSoFar = async (client: pg.Client): Promise<Reads[]> => {
  const { rows } = await client.query<Reads>(`
    select relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables`)
  return rows
}

const readFaultsOf = (before: Reads[], after: Reads[], bound: Set<string>): string[] =>
  after.flatMap(({ table, scans, rows }) => {
    if (!bound.has(table)) return []
    const earlier = before.find((one) => one.table === table) ?? { scans: 0, rows: 0 }
    if (scans > earlier.scans) return [`reads all of ${table}`]
    return rows - earlier.rows > readMax ? [`reads ${rows - earlier.rows} rows of ${table}`] : []
  })

const ownScope = scopeStatement({ tenantId }, 'tenantry_app')

const begin = async (client: pg.Client, setting: Statement[]): Promise<void> => {
  await client.query('begin')
  for (const { text, values } of setting) await client.query(text, values)
}

/** A statement, and the settings that the same transaction made before it. */
interface Sent {
  statement: Statement
  before: Statement[]
}

/** All that is sent before a statement. */
const settingsBefore = ({ statement, before }: Sent, scope: Statement): Statement[] => [
  scope,
  ...(statement.isLongRead ? [longReadSettings] : []),
  ...before,
]

/** Executes what is prepared, as a request does; resolves with what is wrong with its plan. */
const executeOnce = async (client: pg.Client, args: string, setting: Statement[]): Promise<string[]> => {
  await begin(client, setting)
  const before = await readsSoFar(client)
  const { rows } = await client.query(`explain (analyze, format json) execute hot${args}`)
  const after = await readsSoFar(client)
  await client.query('rollback')
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  return [...nodes.flatMap((node) => faultsOf(node, bound)), ...readFaultsOf(before, after, bound)]
}

/** From the sixth execution on PostgreSQL may go over to one plan for all values: it is looked at as well. */
const executions = 6

/** Prepares a statement and does something with it, given its values as `execute hot` wants them. */
const prepared = async (
  client: pg.Client,
  { text, values }: Statement,
  work: (args: string) => Promise<void>,
) => {
  await client.query(`prepare hot as ${text}`)
  try {
    await work(values.length > 0 ? `(${values.map(literal).join(', ')})` : '')
  } finally {
    await client.query('rollback')
    await client.query('deallocate hot')
  }
}

/** Runs a statement; resolves with what is wrong with its plans. */
const explain = async (client: pg.Client, sent: Sent, scope = ownScope): Promise<string[]> => {
  const faults: string[] = []
  await prepared(client, sent.statement, async (args) => {
    for (let execution = 0; execution < executions; execution++) {
      faults.push(...(await executeOnce(client, args, settingsBefore(sent, scope))))
    }
  })
  return [...new Set(faults)]
}

/** How often this transaction has looked into each index that is not there to keep a key unique, also within functions. */
const indexScans = async (client: pg.Client): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ name: string; scans: number }>(`
    select indexrelid::regclass::text as name, pg_stat_get_xact_numscans(indexrelid)::int as scans
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not indisunique`)
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]))
}

/** Runs a statement; resolves with the indexes that it used. */
const indexesOf = async (client: pg.Client, sent: Sent, scope: Statement): Promise<string[]> => {
  const used: string[] = []
  await prepared(client, sent.statement, async (args) => {
    await begin(client, settingsBefore(sent, scope))
    const before = await indexScans(client)
    // To plan a statement is to look for the ends of indexes: so often without using one.
    await client.query(`explain execute hot${args}`)
    const planned = await indexScans(client)
    await client.query(`execute hot${args}`)
    const after = await indexScans(client)
    const scansOf = (name: string) =>
      (after[name] ?? 0) - (planned[name] ?? 0) - ((planned[name] ?? 0) - (before[name] ?? 0))
    used.push(...Object.keys(after).filter((name) => scansOf(name) > 0))
  })
  return used
}

const now = new Date()
const settingValue = { valueJson: '2', changedBy: 0, now, revertedFrom: undefined }
const earlier = new Date(now.getTime() - 30 * 24 * 3_600_000)
const page = { limit: 20, offset: 0 }
const farBehind = { limit: 20, offset: 4000 }

/** A user in the middle of the large tenant, and a role that a quarter hold, found when the rows are there. */
let userId = 0
let roleId = 0
/** The account of that user, and one that has none. */
let accountId = 0
let freeAccountId = 0
/** A service account of the large tenant, and a key of it. */
let serviceAccountId = 0
let keyId = 0
let keyHash = ''
/** A record in the middle of the large tenant's. */
let recordId = 0
const email = 'user500@0.example.com'
const stored = { password_hash: 'none', password_scheme: 'bcrypt' } as const

const moments = {
  from: earlier.toISOString(),
  to: new Date(now.getTime() - 3 * 24 * 3_600_000).toISOString(),
}

const attributed = (...filters: AttributeFilter[]) => ({
  attributes: usersWith(tenantId, filters),
  isOne: filters.length === 1,
  seen: undefined,
  roleId: undefined,
  search: undefined,
})

const seenToday = { seen: now, roleId: undefined, search: undefined }

const auditFilters = {
  'of all kinds': () => ({}),
  'by user': () => ({ userId }),
  'by action': () => ({ actions: ['user.update'] }),
  'by resource': () => ({ resource: 'role' }),
  'by action and user': () => ({ actions: ['user.update'], userId }),
  'by resource and user': () => ({ resource: 'user', userId }),
  'between two moments': () => moments,
  'by user between two moments': () => ({ userId, ...moments }),
  'by object': () => ({ resource: 'role', resourceId: '401' }),
  'about a user': () => ({ aboutUserId: userId }),
  'about a user and by resource': () => ({ aboutUserId: userId, resource: 'role' }),
  'about a user between two moments': () => ({ aboutUserId: userId, ...moments }),
  'by an assistant': () => ({ applicationId: 1 }),
  'on behalf of a user': () => ({ onBehalfOf: userId }),
  'on behalf of a user and by action': () => ({ onBehalfOf: userId, actions: ['role.create'] }),
  'by object and action': () => ({
    resource: 'role',
    resourceId: '401',
    actions: ['role.update'],
  }),
  'by object and user': () => ({ resource: 'role', resourceId: '401', userId }),
  'by object between two moments': () => ({ resource: 'role', resourceId: '401', ...moments }),
  'by several actions': () => ({ actions: ['user.update', 'role.update', 'tenant.update'] }),
  'by text': () => ({ search: 'user1' }),
  'by address and resource': () => ({ ip: '192.0.2.7', resource: 'role' }),
  'by action between two moments': () => ({ actions: ['user.update'], ...moments }),
}

/** The first notifications of a broadcast to everyone. */
const broadcast = {
  sending: { role_id: 0, title: 'a notice', content: '', type: 'info', position: 0, last_id: 2 ** 40 },
  sender: 'sender',
  limit: 20,
} as const

/** A webhook of the large tenant. */
let hookId = 0

/** A person who consented. */
const admission = (): Admission => ({
  tenantId,
  userId,
  accountId,
  signInId: sessionId,
  accountEpoch: 0,
  amr: [],
  authTime: now.toISOString(),
  grantId: 7,
  scopes: [],
})
const hook = () => ({ tenant_id: tenantId, id: hookId }) as webhooks.HookRow

const delivery: deliveries.NewDelivery = {
  event_id: 1,
  event: 'user.create',
  status: 'delivered',
  attempts: 2,
  response_status: 204,
  error: '',
  created_at: now,
  next_attempt_at: null,
  delivered_at: now,
  history: [],
  event_tenant_id: tenantId,
  own_event: null,
}

/** The statements that requests run most, by store. */
const userFilter = (text: string) => predicateOf(filterableOfUser, readFilter(text))
const groupFilter = (text: string) => predicateOf(filterableOfGroup, readFilter(text))
const pushedId = '2819c223-7f76-453a-919d-413861904646'

/** The statements of ways to a provider and back. */
const ofConnections: Record<string, (db: TransactionDb) => unknown> = {
  'the connections of a tenant': (db) => connections.selectConnections(db, tenantId),
  'a connection of SAML': (db) => saml.selectSamlConnection(db, tenantId, sessionId),
  'the tenant of a connection': (db) => saml.selectTenantOfConnection(db, sessionId),
  'an attempt that waits': (db) =>
    saml.selectOpenAttempt(db, tenantId, { connectionId: tenantId, stateHash: tokenHash, now }),
  'the outcomes of a connection': (db) =>
    attempts.selectOutcomes(db, tenantId, { connectionId: tenantId, testId: undefined }, page),
  'the number of its outcomes': (db) =>
    attempts.countOutcomes(db, tenantId, { connectionId: tenantId, testId: undefined }),
  'the outcomes of a connection beyond the newest': (db) =>
    outcomes.deleteSurplus(db, { tenantId, connectionId: tenantId, kept: 200 }),
  'the end of an attempt': (db) =>
    attempts.deleteAttempt(db, tenantId, {
      connectionId: tenantId,
      stateHash: tokenHash,
      browserHash: tokenHash,
      now,
    }),
  'a person whom a connection knows': (db) => linking.selectLinked(db, tenantId, tenantId, '7'),
  'a person of an address': (db) => linking.selectAddressed(db, tenantId, tenantId, email),
  'the connection of a domain': (db) => attempts.selectConnectionOfDomain(db, tenantId, 'd1.0.example.com'),
  'the end of the sessions of a connection': (db) =>
    ofConnection.deleteSessionRowsOfConnection(db, tenantId, sessionId),
  'the end of the sign-ins of a connection': (db) =>
    ofConnection.deleteSignInRowsOfConnection(db, tenantId, sessionId),
  'the end of the domains and secrets of a tenant': (db) => deleteConnectionSecrets(db, tenantId),
  'the domains of a tenant': (db) => domains.selectDomains(db, tenantId),
}

/** The filters that directories send for each of their users, and pages in the order of creation. */
const ofDirectories: Record<string, (db: TransactionDb) => unknown> = {
  'the directory of a key': (db) => directoryUsers.selectDirectory(db, tenantId, serviceAccountId),
  'the domain of a pushed user': (db) =>
    directoryUsers.selectAssignedDomain(db, tenantId, serviceAccountId, 'd1.0.example.com'),
  'a username that is free': (db) => selectTakenNames(db, tenantId, ['ada']),
  'a pushed user': (db) => directoryUsers.selectUser(db, tenantId, pushedId),
  'pushed users by userName': (db) =>
    directoryUsers.selectUsers(db, tenantId, userFilter(`userName eq "${email}"`), page),
  'a count of pushed users by userName': (db) =>
    directoryUsers.countUsers(db, tenantId, userFilter(`userName eq "${email}"`)),
  'pushed users by externalId': (db) =>
    directoryUsers.selectUsers(db, tenantId, userFilter('externalId eq "e700"'), page),
  'the first pushed users': (db) => directoryUsers.selectUsers(db, tenantId, undefined, page),
  'the address of a pushed user': (db) => directoryUsers.selectUserOfAddress(db, tenantId, email),
  'groups by member': (db) =>
    directoryGroups.selectGroups(db, tenantId, groupFilter(`members[value eq "${pushedId}"]`), page),
  'groups by name': (db) =>
    directoryGroups.selectGroups(db, tenantId, groupFilter('displayName eq "group 7"'), page),
  'groups by externalId': (db) =>
    directoryGroups.selectGroups(db, tenantId, groupFilter('externalId eq "g"'), page),
  'the first groups of a directory': (db) => directoryGroups.selectGroups(db, tenantId, undefined, page),
  'members of a group': (db) => directoryGroups.selectMembers(db, tenantId, [pushedId]),
  'the roles of a group': (db) => directoryGroups.selectMappedRoles(db, tenantId, pushedId),
  'whether a user is a break-glass user': (db) => directoryUsers.selectExemption(db, tenantId, userId),
  'the new user of a resource': (db) =>
    updateResource(db, { tenant_id: tenantId, id: userId, email } as Parameters<typeof updateResource>[1]),
  'the open invitation of an address': (db) => invitations.selectOpenOfAddress(db, tenantId, email),
  'the roles that groups give': (db) => directoryGroups.selectMappedAssignments(db, tenantId, [userId]),
}

const anyItem = { kind: undefined, outcome: undefined }
const anyAssignment = {
  userId: undefined,
  roleId: undefined,
  permission: undefined,
  expiresBefore: undefined,
}
const anyElevation = { userId: undefined, status: undefined }
const slice = { limit: 20, offset: 0 }
const anyApproval = { requester: undefined, status: undefined, beforeId: undefined }
const requester = () => ({ id: userId, tenantId })

const hot: Record<string, (db: TransactionDb) => unknown> = {
  ...ofDirectories,
  ...ofConnections,
  'the caller': (db) =>
    selectCaller(db, { tenantId, userId, credential: { kind: 'session', id: sessionId } }, now),
  'the settings about support': (db) => support.selectModes(db, tenantId),
  'a support session': (db) => support.selectFacts(db, tenantId, sessionId),
  'a locked support session': (db) => support.selectFactsForUpdate(db, tenantId, sessionId),
  'the caller of a support session': (db) => selectSupport(db, { tenantId, userId, id: sessionId }),
  'the locks of a support session': (db) => {
    lockSupport(db, { tenantId, userId, id: sessionId }, accountId)
    lockSupporter(db, { tenantId, userId, sessionId })
  },
  'a request of a support session': (db) =>
    upsertSupportRequest(db, { tenantId, id: sessionId }, { method: 'GET', path: '/any' }),
  'support sessions by page': (db) =>
    support.selectSupports(db, { of: { tenantId }, userId: undefined, status: undefined }, slice),
  'support sessions of a user': (db) =>
    support.selectSupports(db, { of: { tenantId }, userId, status: undefined }, slice),
  'the number of support sessions': (db) =>
    support.countSupports(db, { of: { tenantId }, userId: undefined, status: undefined }, totalMax),
  'the requests of a support session': (db) => support.selectRequests(db, tenantId, sessionId, 200),
  'the questions to a user': (db) =>
    support.countWaitingOfUser(db, { tenantId, userId, actorAccountId: accountId }),
  'a role by somebody else than the actor': (db) =>
    support.selectHoldsApart(db, { tenantId, userId, sessionId }, accountId, 'support:allow'),
  'the support sessions as a user': (db) => supportEnds.selectSupportOfUser(db, tenantId, userId),
  'the end of a support session': (db) => supportEnds.updateSupportEnded(db, tenantId, sessionId, 'actor'),
  'the end of a support session by its user': (db) =>
    supportEnds.updateSupportEndedByUser(db, tenantId, userId, sessionId),
  'the end of the support sessions as a user': (db) => supportEnds.updateSupportOfUser(db, tenantId, userId),
  'the number of openings of a support session': (db) => openings.countOpenings(db, tenantId, sessionId),
  'the application that a support session opens': (db) =>
    openings.selectSupportedApplication(db, tenantId, 1),
  'the code of a support session': (db) =>
    openings.selectCodeForUpdate(db, { tenantId, codeHash: Buffer.alloc(32), applicationId: 1 }),
  'the session of a code of a support session': (db) =>
    openings.updateOpened(
      db,
      { tenantId, id: sessionId },
      { scopes: [], narrowedTo: undefined, resourceId: undefined },
    ),
  'the end of an opening': (db) => openings.updateOpeningEnded(db, tenantId, sessionId),
  'an opening of a support session': (db) => openings.selectOpeningOf(db, tenantId, sessionId, 1),
  'the session of an application in a support session': (db) =>
    selectOpening(db, tenantId, { supportId: sessionId, id: sessionId }),
  'the support session of a session': (db) => selectSupportOf(db, tenantId, userId, sessionId),
  'the logouts of a support session': (db) => supportEnds.insertLogouts(db, tenantId, sessionId),
  'support sessions that a setting shuts': (db) => support.selectShut(db, tenantId),
  'the policies of approvals': (db) => approvalPolicies.selectPolicies(db, tenantId),
  'the policy of an operation': (db) => approvalPolicies.selectPolicy(db, tenantId, 'user.delete'),
  'those who may approve': (db) => approvalPolicies.countDeciders(db, tenantId, 'approval:decide', 3),
  'those who approved': (db) => approvalPolicies.selectApprovers(db, tenantId, [userId]),
  'approvals by page': (db) => approvals.selectApprovals(db, tenantId, anyApproval, slice),
  'approvals of a requester': (db) =>
    approvals.selectApprovals(db, tenantId, { ...anyApproval, requester: requester() }, slice),
  'the number of approvals of a requester': (db) =>
    approvals.countApprovals(db, tenantId, { ...anyApproval, requester: requester() }, totalMax),
  'an approval that is used': (db) => approvals.selectApprovalForUpdate(db, tenantId, 1),
  'the requests that wait': (db) => approvals.countWaiting(db, tenantId, requester()),
  'how often the glass was broken': (db) => approvals.countBreakGlass(db, tenantId),
  'those whom a change concerns': (db) => approvals.selectAccounts(db, tenantId, [userId]),
  'those who made the keys of a requester': (db) => approvals.selectKeyMakers(db, tenantId, serviceAccountId),
  'the end of a requester': (db) => cancelRequestsOf(db, tenantId, [userId]),
  'assignments by page': (db) =>
    assignments.selectAssignments(db, tenantId, { ...anyAssignment, afterId: 1 }, slice),
  'assignments of a user': (db) =>
    assignments.selectAssignments(db, tenantId, { ...anyAssignment, userId, afterId: undefined }, slice),
  'assignments of a role': (db) =>
    assignments.selectAssignments(db, tenantId, { ...anyAssignment, roleId, afterId: undefined }, slice),
  'assignments of a permission': (db) =>
    assignments.selectAssignments(
      db,
      tenantId,
      { ...anyAssignment, permission: 'user:read', afterId: undefined },
      slice,
    ),
  'assignments that end': (db) =>
    assignments.selectAssignments(
      db,
      tenantId,
      { ...anyAssignment, expiresBefore: now, afterId: undefined },
      slice,
    ),
  'the number of assignments': (db) => assignments.countAssignments(db, tenantId, anyAssignment, totalMax),
  'the number of assignments of a role': (db) =>
    assignments.countAssignments(db, tenantId, { ...anyAssignment, roleId }, totalMax),
  'reviews by page': (db) =>
    reviews.selectReviews(db, tenantId, { status: undefined, reviewerId: undefined, afterId: 1 }, slice),
  'a review': (db) => reviews.selectReview(db, tenantId, 1),
  'the items of a review by page': (db) =>
    reviewItems.selectItems(db, { tenantId, reviewId: 1 }, { ...anyItem, afterId: 1 }, slice),
  'the undecided items of a review': (db) =>
    reviewItems.selectItems(
      db,
      { tenantId, reviewId: 1 },
      { kind: undefined, outcome: 'pending', afterId: undefined },
      slice,
    ),
  'the items of a report': (db) => reviewItems.selectItemsAfter(db, { tenantId, reviewId: 1 }, 1, 1000),
  'the items of a decision': (db) => reviewItems.selectItemsByIds(db, tenantId, 1, [1, 2, 3]),
  'the present state of items': (db) =>
    reviewItems.selectPresent(
      db,
      tenantId,
      (['roles', 'keys', 'grants'] as const).flatMap((kind) =>
        ['manual', 'eligible'].map((source) => ({
          kind,
          source,
          subject_id: userId,
          what_id: roleId,
          object_id: 1,
        })),
      ),
    ),
  'assignments that have ended': (db) => assignments.deleteEnded(db, tenantId, 10),
  'one assignment that has ended': (db) =>
    assignments.deleteEnded(db, tenantId, 1, { userIds: [userId], roleId }),
  'the roles that a user is eligible for': (db) => eligibility.selectEligibilities(db, tenantId, userId),
  'whether a user is eligible for a role': (db) =>
    eligibility.selectEligibility(db, tenantId, userId, roleId),
  'the elevation of a session by a role': (db) => elevations.selectActive(db, tenantId, sessionId, roleId),
  'the elevations that a person has started': (db) => elevations.countStarted(db, accountId),
  'elevations by page': (db) => elevations.selectElevations(db, tenantId, anyElevation, slice),
  'elevations of a user': (db) =>
    elevations.selectElevations(db, tenantId, { ...anyElevation, userId }, slice),
  'the number of elevations': (db) => elevations.countElevations(db, tenantId, anyElevation, totalMax),
  'an elevation': (db) => elevations.selectElevation(db, tenantId, 1),
  'an elevation to end': (db) => elevations.updateEnded(db, tenantId, 1),
  'elevations to end': (db) => elevations.updateAllEnded(db, tenantId, 10),
  'a deleted role that users were eligible for': (db) =>
    eligibility.deleteEligibilitiesOfRole(db, tenantId, roleId),
  'an assignment to warn of': (db) => assignments.updateWarned(db, tenantId, 1),
  'the caller of a key': (db) =>
    selectCaller(db, { tenantId, userId: serviceAccountId, credential: { kind: 'key', id: keyHash } }, now),
  'the use of a key': (db) => auth.updateKeyUsed(db, tenantId, keyId, now),
  'what a user holds': (db) => selectCodesOfUser(db, tenantId, userId),
  'what counts of it': (db) => selectPrincipal(db, tenantId, userId),
  'the codes of the product': (db) => roles.selectProductCodes(db),
  'a session to ask about': (db) => sessions.selectSession(db, { tenantId, id: sessionId, userId, now }),
  'a tenant that must not be removed meanwhile': (db) => lockTenantAgainstRemoval(db, tenantId),
  'a turn for changes of authority': (db) => lockTenantAuthority(db, tenantId),
  'a time without changes of authority': (db) => lockAuthorityAgainstChange(db, tenantId),
  'a user who signs in': (db) => auth.lockUser(db, tenantId, userId),
  'a password that must not change meanwhile': (db) =>
    auth.lockAccountWithPassword(db, accountId, stored.password_hash),
  'a new session': (db) =>
    sessions.insertSession(db, {
      tenantId,
      id: randomUUID(),
      userId,
      amr: ['pwd'],
      ip: '',
      userAgent: '',
      now,
      expiresAt: now,
    }),
  'the use of a session': (db) => auth.updateSessionUsed(db, { tenantId, id: sessionId, now }),
  'a sign-in to note': (db) => auth.updateLastLogin(db, { tenantId, userId, ip: '', now }),
  'a user who was seen today': (db) => auth.updateLastSeen(db, tenantId, userId, now),
  'the account of a user': (db) => accounts.selectAccountOfUser(db, tenantId, userId),
  'a password to replace': (db) => auth.updatePassword(db, { id: accountId, ...stored }, stored, now),
  'a session to refresh': (db) =>
    sessions.selectSessionForUpdate(db, { tenantId, id: sessionId, userId, now }),
  'a refresh to note': (db) =>
    sessions.updateSessionGeneration(db, { tenantId, id: sessionId, now, expiresAt: now }),
  'the end of a session': (db) => sessions.deleteSessionRow(db, tenantId, userId, sessionId),
  'the end of a sign-in': (db) => sessions.deleteSignInRows(db, accountId, sessionId),
  'the end of the sessions of a user': (db) => sessions.deleteSessionRowsOfUser(db, tenantId, userId),
  'the end of these sign-ins': (db) => sessions.deleteRowsOfSignIns(db, accountId, [sessionId]),
  'the end of the sessions of an account': (db) => sessions.deleteSessionRowsOfAccount(db, accountId, ''),
  'a session that goes on': (db) => sessions.updateSessionKept(db, tenantId, sessionId, accountId),
  'an account whose factors change': (db) => factors.lockAccount(db, accountId),
  'the factors of an account': (db) => factors.selectFactors(db, accountId),
  'the factors of a person': (db) => factors.selectListedFactors(db, accountId),
  'how many recovery codes are left': (db) => factors.countRecoveryCodes(db, accountId),
  'an authenticator app to confirm': (db) => factors.selectPendingTotp(db, accountId, sessionId, now),
  'the use of an authorization code': (db) =>
    factors.updateTotpUsed(db, { accountId, id: sessionId, step: 1, now }),
  'the use of a passkey': (db) =>
    factors.updatePasskeyUsed(db, { accountId, id: sessionId, counter: 1, now }),
  'the use of a recovery code': (db) => factors.deleteRecoveryCodeRow(db, accountId, tokenHash),
  'the account of a passkey': (db) => factors.selectAccountByHandle(db, tokenHash),
  'a login that waits for its factor': (db) => factors.selectLoginChallenge(db, tokenHash, now),
  'an answer to it': (db) => factors.takeAnswer(db, { hash: tokenHash, answersMax: 5, now }),
  'a sign-in with a passkey alone': (db) => factors.deletePasskeyLogin(db, tokenHash, now),
  'the end of all factors of an account': (db) => factors.deleteFactorsOfAccount(db, accountId),
  'a proof of work': (db) => robots.insertSpentChallenge(db, tokenHash, now),
  'whether proof of work is asked for': (db) => robots.selectRobots(db),
  'the portal': (db) => portal.selectGlobalPortal(db),
  'the home pages of own applications': (db) => portal.selectHomes(db),
  'proofs of work that are over': (db) =>
    deleteExpiredRows(db, robots.oldSpentChallenges(new Date(now.getTime() - 3600_000)), 100),
  'challenges that are over': async (db) => {
    const early = new Date(now.getTime() - 3600_000)
    for (const past of factors.expiredChallenges(early, early)) await deleteExpiredRows(db, past, 100)
  },
  'a link': (db) => links.selectLink(db, tokenHash, now),
  'the use of a link': (db) => links.deleteLink(db, tokenHash, now),
  'the end of the links of an account': (db) => links.deleteLinksOfAccount(db, accountId, ['reset']),
  'another e-mail to an address': (db) => mail.insertCount(db, { email, kind: 'reset', now }, 5),
  'the next e-mail': (db) => queue.selectNextDue(db, 'mail_queue'),
  'e-mails to send': (db) => mail.takeMails(db, { now, until: now, limit: 10 }),
  'e-mails that are over': async (db) => {
    const early = new Date(now.getTime() - 3600_000)
    for (const past of mail.expiredMail(early)) await deleteExpiredRows(db, past, 100)
  },
  'a sign-in from a device': (db) => mail.upsertDevice(db, accountId, tokenHash, now),
  'a client': (db) => clients.selectClient(db, 'client 7', now),
  'the client of a session': (db) => clients.selectClientById(db, 7, now),
  'a resource that a request names': (db) => clients.selectNamedResource(db, 'urn:7'),
  'the origins of browser applications': (db) => clients.selectOriginAllowed(db, 'https://app.example.com'),
  'the consents of a user': (db) => grants.selectGrantsOfUser(db, tenantId, userId),
  'a consent': (db) =>
    grants.selectGrantOf(db, { tenantId, userId, applicationId: 7, resourceId: 0, host: 'x' }),
  'a page of consents': (db) => grants.selectGrants(db, tenantId, {}, page),
  'a page of consents to an application': (db) =>
    grants.selectGrants(db, tenantId, { applicationId: 7 }, page),
  'a page of consents of a user': (db) => grants.selectGrants(db, tenantId, { userId }, page),
  'how many consented to an application': (db) =>
    grants.countGrants(db, tenantId, { applicationId: 7 }, totalMax),
  'the end of the consents to a resource': (db) => resources.deleteGrantRowsOfResource(db, 7),
  'the end of the sessions of a consent': (db) =>
    ofApplications.deleteSessionRowsOfGrant(db, tenantId, { userId, grantId: 7 }),
  'the end of the sessions of an application': (db) => ofApplications.deleteSessionRowsOfApplication(db, 7),
  'the end of the sessions of an application elsewhere': (db) =>
    ofApplications.deleteSessionRowsBeyondTenants(db, 7, [tenantId]),
  'the end of the sessions for a resource': (db) => ofApplications.deleteSessionRowsOfResource(db, 7),
  'the session of a refresh token of an application': (db) =>
    appSessions.selectApplicationSessionForUpdate(db, { tenantId, id: sessionId, userId, now }),
  'the person behind a user': (db) => appSessions.selectPerson(db, tenantId, userId),
  'the session of an ID token': (db) =>
    appSessions.selectHintedSession(db, { tenantId, id: sessionId, userId, now }),
  'the sessions of a sign-in beyond the newest': (db) =>
    appSessions.selectSurplus(db, accountId, {
      applicationId: 7,
      user: undefined,
      signInId: sessionId,
      now,
      kept: 19,
    }),
  'the sessions with offline_access beyond the newest': (db) =>
    appSessions.selectSurplus(db, accountId, {
      applicationId: 7,
      user: { tenantId, userId },
      signInId: undefined,
      now,
      kept: 19,
    }),
  'the end of some sessions': (db) => appSessions.deleteSessionRowsByIds(db, accountId, [sessionId]),
  'the end of the session of an application': (db) =>
    appSessions.deleteApplicationSessionRow(db, tenantId, { userId, sessionId, applicationId: 7 }),
  'the sign-ins of a person': (db) => browserSignIns.selectSignInsOfAccount(db, accountId, now),
  'the sign-ins that end with the sessions of a user': (db) =>
    browserSignIns.selectSignInsOfUser(db, tenantId, userId, now),
  'their end': (db) => browserSignIns.deleteSignInRowsOfUser(db, tenantId, accountId),
  'authorizations that are over': async (db) => {
    const early = new Date(now.getTime() - 3600_000)
    for (const past of expiredAuthorizations(early)) await deleteExpiredRows(db, past, 100)
  },
  // A foreign key runs it.
  'the codes of a sign-in that ends': (db) =>
    db.run(sql`delete from authorization_codes where sign_in_id = ${sessionId}`),
  'an authorization code': (db) => codes.selectCode(db, tokenHash),
  'an authorization code to use': (db) => codes.selectCodeForUpdate(db, tokenHash),
  'the use of a code': (db) => codes.updateCodeUsed(db, tokenHash, now),
  'logout tokens to send': (db) =>
    logouts.takeLogouts(db, { now, until: now, busy: [], ofEach: 4, limit: 50 }),
  'the next logout token': (db) => queue.selectNextDue(db, 'logout_queue'),
  'the sign-in of a browser': (db) => signIns.selectSignIn(db, tokenHash, now),
  'the use of a sign-in': (db) =>
    signIns.updateSignInUsed(db, { id: sessionId, tenantId, now, expiresAt: now }),
  'another cookie of a sign-in': (db) => signIns.updateCookie(db, sessionId, tokenHash),
  'an interaction': (db) =>
    interactions.selectInteraction(db, { id: sessionId, browserHash: tokenHash, now }),
  'the progress of an interaction': (db) =>
    interactions.updateProgress(db, { id: sessionId, version: 0 }, {}),
  'the end of an interaction': (db) => interactions.deleteInteractionRow(db, { id: sessionId, version: 0 }),
  'the facts behind a code': (db) => codes.selectAdmissionStatus(db, admission(), now),
  'the session of a code': (db) => codes.updateCodeSession(db, tokenHash, { tenantId, sessionId }),
  'the end of a code': (db) => codes.deleteCodeRow(db, tokenHash),
  'the device that shows a code': (db) => devices.selectWaitingDevice(db, 'BBBBBBBB', now),
  'a device that asks': (db) => devices.selectDevice(db, tokenHash),
  'a device that asks too often': (db) =>
    devices.updateDevicePolled(db, tokenHash, { now, intervalSeconds: 5 }),
  'the decision about a device': (db) => devices.updateDeviceDecided(db, tokenHash, null, now),
  'a device that gets tokens': (db) => devices.selectDeviceForUpdate(db, tokenHash),
  'the end of a device': (db) => devices.deleteDeviceRow(db, tokenHash),
  'the picture of a user': (db) => selectPicture(db, tenantId, userId),
  'an account to export': (db) => personal.selectAccount(db, accountId),
  'the devices of an account': (db) => personal.selectDevices(db, accountId),
  'the sign-ins of an account to export': (db) => personal.selectSignInsAfter(db, accountId),
  'the invitations of a user to export': (db) =>
    personal.selectInvitationsOfUserAfter(db, { tenantId, userId }, now),
  'a tenant to export': (db) => personal.selectTenant(db, tenantId),
  'a user to export': (db) => personal.selectUser(db, { tenantId, userId }),
  'the roles of a user to export': (db) => personal.selectRoles(db, { tenantId, userId }),
  'the sessions of a user to export': (db) => personal.selectSessionsAfter(db, { tenantId, userId }),
  'the consents of a user to export': (db) => personal.selectConsentsAfter(db, { tenantId, userId }),
  'the notifications of a user to export': (db) =>
    personal.selectNotificationsAfter(db, { tenantId, userId }),
  'an invitation of a link': (db) => invitations.selectLiving(db, tenantId, tokenHash, now),
  'the acceptance of an invitation': (db) => invitations.updateAccepted(db, tenantId, tokenHash, now),
  'a setup link of a token': (db) => setups.selectLinkOfToken(db, tenantId, tokenHash, now),
  'a guest of a setup link': (db) => selectGuest(db, tenantId, tokenHash, now),
  'the end of a setup link': (db) => setups.updateEnded(db, tenantId, randomUUID(), now),
  'a page of invitations': (db) =>
    invitations.selectInvitations(db, tenantId, { status: undefined, now }, page),
  'the inviter of an e-mail': (db) => invitations.selectInviter(db, tenantId, userId),
  'the links of the day': (db) => invitations.selectSent(db, tenantId, now),
  'the end of an invitation that has expired': (db) => invitations.updateExpired(db, tenantId, email, now),
  'the e-mails of an invitation': (db) => invitations.deleteMailsOfInvitation(db, tenantId, 1),
  'the account of a user to change': (db) => users.lockAccountOfUser(db, tenantId, userId),
  'a user': (db) => users.selectUser(db, tenantId, userId),
  'the safety of a user': (db) => users.selectSecurity(db, tenantId, userId),
  'a user to change': (db) => users.selectUserForUpdate(db, tenantId, userId),
  'an e-mail that may be free': (db) => users.selectAccountIdByEmail(db, email),
  'a new user': (db) =>
    users.insertUser(
      db,
      {
        tenantId,
        email: 'newcomer@example.com',
        username: 'new',
        nickname: '',
        status: 1,
      },
      stored,
      now,
    ),
  'another role of a user': (db) => users.insertRoleOfUser(db, tenantId, userId, 2),
  'another e-mail of a user': (db) => users.updateAccountEmail(db, accountId, 'new@example.com', now),
  'the end of a user': (db) => users.deleteUserRow(db, tenantId, userId),
  'the end of an account': (db) => users.deleteAccountRow(db, freeAccountId),
  'a page of users': (db) => users.selectUsers(db, tenantId, {}, page),
  'a page of users far behind': (db) => users.selectUsers(db, tenantId, {}, { ...page, offset: 10_000 }),
  'a page of users after one': (db) => users.selectUsers(db, tenantId, { afterId: userId }, page),
  'a page of the newest users': (db) => users.selectUsers(db, tenantId, { sort: '-id' }, page),
  'a page of the newest users after one': (db) =>
    users.selectUsers(db, tenantId, { sort: '-id', afterId: userId }, page),
  'a page of the newest users by status': (db) =>
    users.selectUsers(db, tenantId, { sort: '-id', status: 0 }, page),
  'a page of disabled users': (db) => users.selectUsers(db, tenantId, { status: 0 }, page),
  'a page of enabled users': (db) => users.selectUsers(db, tenantId, { status: 1 }, page),
  'the number of disabled users': (db) => users.countUsersOfStatus(db, tenantId, 0, totalMax),
  'the number of enabled users': (db) => users.countUsersOfStatus(db, tenantId, 1, totalMax),
  'users by their ids': (db) => users.selectUsersByIds(db, tenantId, [userId, userId + 1]),
  'roles with permissions': (db) => roles.selectRoles(db, tenantId),
  'the roles of a user': (db) => roles.selectRolesOfUser(db, tenantId, userId),
  'the users who hold a role': (db) => users.selectUsersOfRole(db, tenantId, { roleId }, page),
  'the users who hold a role, far behind': (db) =>
    users.selectUsersOfRole(db, tenantId, { roleId }, { ...page, offset: 9000 }),
  'the number of users who hold each role': (db) =>
    users.countUsersOfRoles(db, tenantId, [roleId, roleId + 1], totalMax),
  'the number of users who hold a role': (db) => users.countUsersOfRole(db, tenantId, roleId, totalMax),
  'the disabled users who hold a role': (db) =>
    listing.selectHolders(db, tenantId, { roleId, status: 0, search: undefined }, page),
  'the users who hold a role, and match a keyword': (db) =>
    listing.selectHolders(db, tenantId, { roleId, search: 'user1' }, page),
  'the number of enabled users who hold a role': (db) =>
    listing.countHolders(db, tenantId, { roleId, status: 1, search: undefined }, totalMax),
  'the users with an attribute': (db) =>
    listing.selectAttributed(db, tenantId, attributed({ key: 'area', folded: 'a1' }), page),
  'the number of users with an attribute': (db) =>
    listing.countAttributed(db, tenantId, attributed({ key: 'area', folded: 'a1' }), totalMax),
  'the users with two attributes': (db) =>
    listing.selectAttributed(
      db,
      tenantId,
      attributed({ key: 'area', folded: 'a1' }, { key: 'level', folded: 'l1' }),
      page,
    ),
  'the attributes of listed users': (db) =>
    attributes.selectValuesOfUsers(db, tenantId, [userId, userId + 1]),
  'the attributes of a user': (db) => attributeValues.selectValues(db, { tenantId, userId }),
  'the attributes of a user that others fill': (db) => selectFilled(db, { tenantId, userId }, ['department']),
  'the users seen today': (db) => listing.selectSeen(db, tenantId, seenToday, page),
  'a page of the users of some ids': (db) =>
    listing.selectSeen(db, tenantId, { ...seenToday, seen: [userId, userId + 1] }, page),
  'the number of users who are online': (db) =>
    listing.countSeen(db, tenantId, { ...seenToday, seen: [userId, userId + 1] }, totalMax),
  'the roles of listed users': (db) => listing.selectRolesOfUsers(db, tenantId, [userId, userId + 1]),
  'a page of tenants': (db) => selectTenants(db, {}, { slice: page }),
  'when listed users were created': (db) => listing.selectCreatedOfUsers(db, tenantId, [userId, userId + 1]),
  'a role': (db) => roles.selectRole(db, tenantId, roleId),
  'the number of roles': (db) => roles.countRoles(db, tenantId),
  'the number of users seen today': (db) => dashboard.countActiveToday(db, tenantId, now),
  'the counts of a day': (db) => dashboard.selectDay(db, tenantId, 30, now),
  'the days without counts': (db) => dashboard.selectMissingDays(db, tenantId, 90, now),
  'settings of a tenant': (db) => settings.selectTenantSettings(db, tenantId),
  'a setting to set': (db) => settings.upsertSetting(db, { tenantId, key: 'setting.3' }, settingValue),
  'the size of all settings': (db) => settings.measureSettings(db, tenantId),
  'a setting by its key': (db) => settings.selectTenantSetting(db, tenantId, 'setting.3'),
  'a page of notifications': (db) =>
    notifications.selectNotificationsOfUser(db, tenantId, { userId, isRead: undefined }, page),
  'the notices about a trouble that is over': (db) =>
    notifications.updateNoticesRead(db, tenantId, 'webhook 1'),
  'a page of unread notifications': (db) =>
    notifications.selectNotificationsOfUser(db, tenantId, { userId, isRead: false }, page),
  'the number of notifications': (db) =>
    notifications.countNotificationsOfUser(db, tenantId, { userId, isRead: undefined }),
  'the unread count': (db) => notifications.countNotificationsOfUser(db, tenantId, { userId, isRead: false }),
  'a page of what the caller has sent': (db) =>
    sendings.selectSendings(db, tenantId, { tenantId, id: userId }, { ...page, beforeId: undefined }),
  'the number of what the caller has sent': (db) =>
    sendings.countSendings(db, tenantId, { tenantId, id: userId }, totalMax),
  'a batch of a broadcast': (db) => sendings.insertBatch(db, tenantId, broadcast, now),
  'webhooks of a tenant': (db) => webhooks.selectHooks(db, tenantId),
  'the secrets of a webhook': (db) => webhooks.selectSecrets(db, tenantId, [hookId], now),
  'a delivery': (db) => webhooks.selectDelivery(db, hook(), 5),
  'the deliveries that are tried again': (db) => deliveries.selectOpenDeliveries(db, tenantId, [hookId]),
  'a page of deliveries': (db) => webhooks.selectDeliveries(db, hook(), undefined, page),
  'the delivery that is tried again': (db) => deliveries.updateOpenDelivery(db, hook(), delivery),
  'a new audit record': (db) =>
    audit.insertAuditLog(
      db,
      {
        tenant_id: tenantId,
        user_id: userId,
        action: 'user.update',
        resource: 'user',
        resource_id: '1',
        about_user_id: 1,
        on_behalf_of: null,
        application_id: null,
        detail: {},
        ip: '',
        user_agent: '',
        trace_id: '',
      },
      now,
    ),
  'the unread notifications of users with streams': (db) => events.countUnread(db, tenantId, [userId]),
  'the new notifications of users with streams': (db) =>
    events.selectNewNotifications(db, tenantId, [userId], { firstId: 1, lastId: 2 ** 31, limit: 20 }),
  'an audit record': (db) => audit.selectAuditLog(db, tenantId, 1),
  'the next records of an export': (db) =>
    audit.selectAuditLogsAfter(db, { tenantId, filter: {}, afterId: 0, limit: 1000 }),
  'the first records of an export of some days': (db) =>
    audit.selectAuditLogsAfter(db, { tenantId, filter: moments, afterId: 0, limit: 1000 }),
  'the head of the audit log': (db) => audit.selectAuditHead(db, tenantId),
  'the size of the audit log': (db) => audit.selectAuditSize(db, tenantId),
  'sign-ups and active users by day': (db) => dashboard.selectActivity(db, tenantId, 90, now),
  'sign-ups and active users of a day': (db) =>
    dashboard.countActivity(db, tenantId, now.toISOString().slice(0, 10)),
  'records to be sealed': (db) => audit.selectUnsealedLogs(db, tenantId, { limit: 100, floor: 0 }),
  ...Object.fromEntries(
    Object.entries(auditFilters).flatMap(([name, filter]) => [
      [`a page of audit records ${name}`, (db: Db) => audit.selectAuditLogs(db, tenantId, filter(), page)],
      [
        `a page of audit records far behind ${name}`,
        (db: Db) => audit.selectAuditLogs(db, tenantId, filter(), farBehind),
      ],
      [
        `a page of audit records before one ${name}`,
        (db: Db) => audit.selectAuditLogs(db, tenantId, filter(), { ...page, beforeId: recordId }),
      ],
      [
        `the number of audit records ${name}`,
        (db: Db) => audit.countAuditLogs(db, tenantId, filter(), totalMax),
      ],
    ]),
  ),
}

/** A search for a frequent keyword, or for one that the index does not know. */
const searchingAlongKey = (search: string) => async (db: Db) => {
  await users.goAlongKey(db)
  await users.selectNear(db, tenantId, { search }, page)
  await users.planAnew(db)
  await users.selectFoundIds(db, tenantId, { search }, page)
  await users.countFound(db, tenantId, { search }, totalMax)
}

/** A search for a rare keyword. */
const searchingAlongIndex = (search: string) => async (db: Db) => {
  await users.goAlongKey(db)
  await users.selectNear(db, tenantId, { search }, page)
  await users.goAlongIndex(db)
  await users.selectFound(db, tenantId, { search }, { ...page, max: totalMax })
  await users.selectFoundIds(db, tenantId, { search }, page)
  await users.selectFoundIds(db, tenantId, { search, sort: '-id' }, page)
  await users.countFound(db, tenantId, { search }, totalMax)
}

/** Statements of other scopes: before the tenant is known, and in the background. */
const elsewhere: Record<string, { scope: () => Scope; role?: DbRole; run: (db: TransactionDb) => unknown }> =
  {
    'the identities of an account': {
      scope: () => ({}),
      run: (db) => identities.selectIdentities(db, accountId),
    },
    'a page of tenants with figures': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => selectTenantsWithFigures(db, {}, { slice: page }),
    },
    'tenants with open elevations': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => elevations.selectTenantsWithOpen(db, 10_000),
    },
    'the next end of an eligibility': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => eligibility.selectNextEnd(db),
    },
    'the support sessions as a person': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => supportEnds.selectSupportOfAccount(db, accountId),
    },
    'a support session as a user elsewhere': {
      scope: () => ({ tenantId }),
      run: (db) => supportEnds.selectSupportElsewhere(db, randomUUID(), accountId, sessionId),
    },
    'the support sessions of an actor': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) =>
        support.selectSupports(
          db,
          {
            of: { actorTenantId: tenantId, actorId: userId, accountId },
            userId: undefined,
            status: undefined,
          },
          slice,
        ),
    },
    'the tenant of a support session': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => support.selectTenantOfOwn(db, accountId, sessionId),
    },
    'the waiting questions of an actor': {
      scope: () => ({ tenantId }),
      run: (db) => support.countWaitingOfActor(db, accountId),
    },
    'the other support sessions of an actor': {
      scope: () => ({ tenantId }),
      run: (db) => support.selectOthersActive(db, accountId, sessionId),
    },
    'all active support sessions': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => support.selectAllActive(db, 1000),
    },
    'approvals of an expired period': {
      scope: () => ({ tenantId }),
      role: 'tenantry_purge',
      run: (db) => {
        db.send(settingsOf({ 'app.expired_before': '2020-01-01T00:00:00Z' }))
        approvals.deleteExpiredApprovals(db, tenantId)
      },
    },
    'elevations of an expired period': {
      scope: () => ({ tenantId }),
      role: 'tenantry_purge',
      run: (db) => {
        db.send(settingsOf({ 'app.expired_before': '2020-01-01T00:00:00Z' }))
        elevations.deleteExpiredElevations(db, tenantId)
      },
    },
    'support sessions of an expired period': {
      scope: () => ({ tenantId }),
      role: 'tenantry_purge',
      run: (db) => {
        db.send(settingsOf({ 'app.expired_before': '2020-01-01T00:00:00Z' }))
        support.deleteExpiredSupports(db, tenantId)
      },
    },
    'tenants with ended assignments': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => assignments.selectTenantsWithEnded(db, 1000),
    },
    'the next end of an assignment': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => assignments.selectNextEnd(db),
    },
    'keys to warn of': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => keys.selectDueKeys(db, earlier, 1000),
    },
    'assignments to warn of': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => assignments.selectDueWarnings(db, 1000),
    },
    'attempts at providers that are over': {
      scope: () => ({}),
      run: (db) => deleteExpiredRows(db, { ...pastAttempts, before: "now() - interval '1 hour'" }, 100),
    },
    'codes by mail that are over': {
      scope: () => ({}),
      run: async (db) => {
        await db.run(sql`delete from email_codes where expires_at < ${new Date(now.getTime() - 3600_000)}`)
        await db.run(
          sql`delete from email_code_guesses where expires_at < ${new Date(now.getTime() - 3600_000)}`,
        )
      },
    },
    // Foreign keys run these.
    'codes by mail, attempts and identities that go with their account or provider': {
      scope: () => ({}),
      run: async (db) => {
        const providerId = sql`md5('provider 7')::uuid`
        await db.run(sql`delete from email_codes where account_id = ${accountId}`)
        await db.run(sql`delete from mail_queue where code_hash = ${tokenHash}`)
        await db.run(sql`delete from provider_attempts where account_id = ${accountId}`)
        await db.run(sql`select from provider_attempts where provider_id = ${providerId} limit 1`)
        await db.run(sql`select id from identities where provider_id = ${providerId} order by id limit 1`)
      },
    },
    'the account of an e-mail': { scope: () => ({}), run: (db) => accounts.selectAccountByEmail(db, email) },
    'the user of an account': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => accounts.selectUserOfAccount(db, accountId, { askedTenant: null, firstProof: 'pwd' }),
    },
    'whether an account has a user': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => users.selectLivingUserOfAccount(db, accountId),
    },
    'the tenants of a person': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => signIns.selectMembers(db, accountId, { amr: ['pwd'], hasMfa: true }),
    },
    'the tenants with a role of a name': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => catalogue.selectTenantsWithRole(db, 'a name of few', 501),
    },
    'the next tenants with something to seal': {
      scope: () => ({}),
      role: 'tenantry_seal',
      run: (db) => chain.selectWaitingTenants(db, tenantId, 20),
    },
    'one of these tenants, if it still waits': {
      scope: () => ({}),
      role: 'tenantry_seal',
      run: (db) => chain.lockOneTenant(db, [tenantId, randomUUID()]),
    },
    'the ends of a chain': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => chain.selectChainEnds(db, tenantId),
    },
    'users whose names hold something rare': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: searchingAlongIndex('39999'),
    },
    'users whose names hold a keyword of none': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: searchingAlongIndex('nobody'),
    },
    'the seals of all tenants from a number on': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => log.selectNumbers(db, 10, 30),
    },
    'the seals of a tenant from a number on': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => log.selectSeals(db, tenantId, 10, { end: 2 ** 31, limit: 100 }),
    },
    'the last seal of a tenant': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => log.selectHighestNumber(db, tenantId),
    },
    'the last seal of all tenants': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => log.selectHighestNumber(db, undefined),
    },
    'the first seal of a tenant': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => log.selectFirstSeal(db, tenantId),
    },
    'the first seal of all tenants': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => log.selectFirstSeal(db, undefined),
    },
    'the records that wait for a webhook': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => log.countRecords(db, tenantId, { first: sizes.records / 20 - 100 }, 10_000),
    },
    'the events that wait for a webhook': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) =>
        log.selectIdsFrom(
          db,
          tenantId,
          { from: { seal: sizes.records / 20 - 100, index: 3 }, to: undefined },
          10_000,
        ),
    },
    'records of some actions among others': {
      scope: () => ({ tenantId }),
      role: 'tenantry_seal',
      run: (db) => log.countActions(db, tenantId, [1, 100, 2000], ['user.create', 'user.update']),
    },
    'reviews that are due': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => reviews.selectDueReviews(db, 10),
    },
    'the review that is due next': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => reviews.selectNextDue(db),
    },
    'sessions of streams that have ended': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => events.selectEndedSessions(db, [tenantId, tenantId], [sessionId, randomUUID()]),
    },
    'old deliveries of webhooks': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: (db) => deleteExpiredRows(db, deliveries.oldDeliveries, 1000),
    },
    'sendings of long ago': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: (db) => deleteExpiredRows(db, sendings.oldSendings, 100),
    },
    'the invitations of an address': {
      scope: () => ({}),
      role: 'tenantry_login',
      run: (db) => personal.selectInvitationsAfter(db, email, now),
    },
    'the users of an account to export': {
      scope: () => ({ accountId }),
      role: 'tenantry_login',
      run: (db) => personal.selectUsersAfter(db, accountId),
    },
    'the organizations that people have created within an hour': {
      scope: () => ({}),
      run: (db) => signUps.selectFoundings(db, now),
    },
    'the tenants that an account has created': {
      scope: () => ({}),
      run: (db) => signUps.countFoundedBy(db, accountId),
    },
    'a sign-up that is confirmed, with its e-mail': {
      scope: () => ({}),
      run: (db) =>
        signUps.deleteSignUp(db, createHash('sha256').update(`sign-up ${accountId}`).digest(), new Date(0)),
    },
    'versions of settings that were replaced long ago': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: async (db) => {
        // Reads of secrets are kept for a day: few enough to be read whole.
        const kept = oldRows.filter(({ table }) => table !== 'setting_secret_reads')
        for (const past of kept) await deleteExpiredRows(db, past, 100)
      },
    },
    'stored values that a declaration refuses': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: (db) => definitions.countInvalid(db, ['setting.20']),
    },
    'the values of an attribute in all tenants': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: async (db) => {
        const place = { subject: 'user', key: 'rare' } as const
        attributeValues.enterAttribute(db, place.key)
        await attributeValues.selectValuesAfter(db, place)
        await attributeValues.deleteValues(db, place, 100)
      },
    },
    'the tenants with an attribute': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => attributes.selectTenantIds(db, [{ key: 'plan1', folded: 'none' }]),
    },
    'the end of a declaration': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: (db) => {
        definitions.enterDeclared(db, 'rare')
        definitions.deleteRowsOfKey(
          db,
          'rare',
          'user_settings',
          'tenant_setting_versions',
          'tenant_setting_secrets',
        )
      },
    },
    'domains to look at again': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => domains.selectDue(db, earlier, 1000),
    },
    'sign-ins by connections that are over': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: async (db) => {
        for (const past of pastSignIns) await deleteExpiredRows(db, past, 100)
      },
    },
    'certificates that end': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => saml.selectWarnings(db, earlier, 1000),
    },
    'metadata to read again': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: (db) => connections.selectDueMetadata(db, earlier, 1000),
    },
    'the variants of flags of a tenant that is removed': {
      scope: () => ({ tenantId: builtInTenant.id }),
      run: (db) => {
        deleteFlagOverrides(db, tenantId)
      },
    },
    'setup links to end': {
      scope: () => ({}),
      role: 'tenantry_search',
      run: async (db) => {
        const found = await setups.selectUnended(db, undefined, 10)
        await setups.selectUnended(db, found.at(-1), 10)
      },
    },
    'past setup links, and expired tokens of their guests': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: async (db) => {
        for (const past of setups.pastSetups) await deleteExpiredRows(db, past, 1000)
      },
    },
    'expired sessions': {
      scope: () => ({}),
      role: 'tenantry_purge',
      run: (db) => deleteExpiredRows(db, sessions.expiredSessions, 1000),
    },
  }

/** Searches that find, or look at, much of the tenant: as many rows as it takes, but not all rows of the table. */
const wide = ['user', 'us', 'zq', '9']

const sentBy = async (run: (db: TransactionDb) => unknown): Promise<Sent[]> => {
  const sent: Sent[] = []
  const before: Statement[] = []
  const add = (statement: Statement) => {
    if (/^\s*select (where concat\()?set_config/.test(statement.text)) before.push(statement)
    else sent.push({ statement, before: [...before] })
  }
  const db = dbOver(async (statement) => {
    add(statement)
    return { command: '', rowCount: 0, rows: [] }
  })
  // Nothing runs, so a statement that always returns a row returns none here.
  const only = async <Row>(statement: Parameters<typeof db.one>[0]) => (await db.one<Row>(statement)) as Row
  await run({ ...db, only, send: add })
  expect(sent).not.toEqual([])
  return sent
}

let database: TestDatabase
let client: pg.Client
let bound: Set<string>

const readIds = async () => {
  const { rows } = await client.query(
    `select s.user_id::int as user, (select max(id)::int from roles r where r.tenant_id = s.tenant_id) as role,
       (select account_id::int from users u where u.tenant_id = s.tenant_id and u.id = s.user_id) as account,
       (select id::int from accounts where email = 'nobody@example.com') as free_account,
       (select json_build_array(k.account_id, k.id, encode(k.secret_hash, 'hex')) from service_account_keys k
         where k.tenant_id = s.tenant_id order by k.id limit 1) as key,
       (select min(id)::int from webhooks w where w.tenant_id = s.tenant_id) as hook,
       (select (min(id) + max(id))::int / 2 from audit_logs l where l.tenant_id = s.tenant_id) as record,
       array(select relname::text from pg_attribute join pg_class c on c.oid = attrelid
         where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'tenant_id') as tables
     from sessions s where s.id = $1`,
    [sessionId],
  )
  ;[userId, roleId] = [rows[0].user, rows[0].role]
  ;[accountId, freeAccountId, recordId] = [rows[0].account, rows[0].free_account, rows[0].record]
  ;[serviceAccountId, keyId, keyHash] = rows[0].key
  hookId = rows[0].hook
  bound = new Set([
    ...rows[0].tables,
    'account_devices',
    'account_links',
    'accounts',
    'authorization_codes',
    'challenges',
    'spent_challenges',
    'connection_secrets',
    'device_codes',
    'domain_owners',
    'factors',
    'interactions',
    'mail_counts',
    'mail_queue',
    'recovery_codes',
    'sign_ins',
    'tenants',
  ])
}

describe.runIf(onPostgres)('the plans in a tenant with most of all rows', () => {
  beforeAll(async () => {
    database = await createTestDatabase()
    const store = await openStore(database.config, {
      log: database.options.log,
      afterMigrate: syncCatalogue,
    })
    await store.close()
    client = new pg.Client({ connectionString: database.config.databaseUrl })
    await client.connect()
    // Without checks of foreign keys: each row follows from one before it.
    await client.query(`set session_replication_role = replica`)
    await client.query(seed)
    await client.query(`reset session_replication_role`)
    // As if the large tenant's records were sealed, but for the newest.
    await client.query(
      `insert into audit_unsealed (tenant_id, id)
       select tenant_id, id from audit_logs l
       where tenant_id <> $1 or id > (select max(id) - 100 from audit_logs where tenant_id = $1)`,
      [tenantId],
    )
    await client.query('vacuum (analyze)')
    await client.query(slowFunction)
    await client.query(`begin`)
    await client.query(ownScope)
    await readIds()
    await client.query('rollback')
  }, seedingMs)
  afterAll(async () => {
    await client.end()
    await database.remove()
  })

  test.each(Object.entries(hot))('no plan reads or sorts all of it for %s', async (_what, run) => {
    for (const sent of await sentBy(run)) expect(await explain(client, sent)).toEqual([])
  })

  test.each(Object.entries(elsewhere))(
    'no plan reads or sorts all of it for %s',
    async (_what, { scope, role = 'tenantry_app', run }) => {
      for (const sent of await sentBy(run)) {
        expect(await explain(client, sent, scopeStatement(scope(), role))).toEqual([])
      }
    },
  )

  test('tenants without a row of yesterday are found without reading all days', async () => {
    for (const sent of await sentBy((db) => dashboard.selectTenantsWithoutYesterday(db, now))) {
      const faults = await explain(client, sent, scopeStatement({}, 'tenantry_search'))
      expect(faults.filter((fault) => fault.includes('tenant_days'))).toEqual([])
    }
  })

  test.each(wide)('no plan reads all users of all tenants to find %s', async (search) => {
    for (const sent of await sentBy(searchingAlongKey(search))) {
      const faults = await explain(client, sent, scopeStatement({}, 'tenantry_search'))
      expect(faults.filter((fault) => fault.startsWith('reads all'))).toEqual([])
    }
  })

  test('every index keeps a key unique, or serves one of these statements', async () => {
    const own = Object.values(hot).map((run) => ({ scope: () => ({ tenantId }), role: undefined, run }))
    const used = new Set<string>()
    for (const { scope, role = 'tenantry_app', run } of [...own, ...Object.values(elsewhere)]) {
      for (const sent of await sentBy(run)) {
        const indexes = await indexesOf(client, sent, scopeStatement(scope(), role))
        for (const index of indexes) used.add(index)
      }
    }
    const unused = Object.keys(await indexScans(client)).filter((index) => !used.has(index))
    expect(unused).toEqual([])
  })

  test.each([
    [
      'reads all of audit_logs',
      `select count(*) from audit_logs where tenant_id = $1 and detail::text <> ''`,
    ],
    [`sorts ${sizes.users} rows`, 'select id from users where tenant_id = $1 order by email limit 20'],
    [`reads ${sizes.users} rows of users`, 'select count(*) from users where tenant_id = $1'],
    [
      `passes by ${sizes.users} rows of users`,
      `select id from users where tenant_id = $1 and nickname <> '' order by id limit 20`,
    ],
    ['reads all of notifications', 'select count_titles($1)'],
    ['reads all of accounts', 'select id from accounts where email = $1'],
  ])('a plan that %s is noticed', async (fault, text) => {
    const sent = { statement: { text, values: [tenantId] }, before: [] }
    expect(await explain(client, sent)).toContain(fault)
  })
})
