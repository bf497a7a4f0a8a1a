/** Rows of enterprise sign-in, for tests that look at every table of a tenant. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { OidcConfig } from '../src/features/sso/oidc.ts'
import type { Tenant } from './factories.ts'
import { parts } from './harness.ts'

export const anyConfig: OidcConfig = {
  issuer: 'https://idp.example.com',
  client_id: 'tenantry',
  auth_method: 'client_secret_basic',
  scopes: 'openid',
  subject_claim: 'sub',
  email_claim: 'email',
  name_claim: 'name',
  groups_claim: 'groups',
}

/** A verified domain, a connection with all that hangs on it, and a directory. */
export const insertConnectionRows = async ({
  id: tenantId,
  admin,
}: Pick<Tenant, 'id' | 'admin'>): Promise<string> => {
  const [connection, user, group] = [randomUUID(), randomUUID(), randomUUID()]
  const domain = `d${connection}.example.com`
  const { userId } = admin
  await parts.store.transaction({ tenantId }, async (db) => {
    await db.run(sql`insert into domain_owners (domain, owner_tenant_id) values (${domain}, ${tenantId})`)
    await db.run(
      sql`insert into connection_secrets (id, connection_tenant_id) values (${connection}, ${tenantId})`,
    )
    await db.run(sql`
      insert into connections (tenant_id, id, type, name, config, created_at, updated_at)
      values (${tenantId}, ${connection}, 'oidc', 'Any', ${JSON.stringify(anyConfig)}, now(), now())`)
    await db.run(sql`
      insert into domains (tenant_id, domain, token, status, connection_id, created_at)
      values (${tenantId}, ${domain}, 'any', 'verified', ${connection}, now()) returning id`)
    await db.run(sql`
      insert into sso_attempts (tenant_id, id, connection_id, interaction_id, browser_hash, is_test, state_hash, expires_at)
      values (${tenantId}, ${randomUUID()}, ${connection}, ${randomUUID()}, ${Buffer.alloc(32)}, false, ${Buffer.alloc(32)},
        now() + interval '10 minutes')`)
    await db.run(sql`
      insert into sso_outcomes (tenant_id, connection_id, at, outcome, ip)
      values (${tenantId}, ${connection}, now(), 'refused', '') returning id`)
    await db.run(sql`
      insert into sso_links (tenant_id, connection_id, subject, user_id, proof, created_at)
      values (${tenantId}, ${connection}, 'any', ${userId}, 'created', now())`)
    await db.run(sql`
      insert into group_mappings (tenant_id, connection_id, group_name, role_id)
      values (${tenantId}, ${connection}, 'any', 3)`)
    await db.run(
      sql`insert into sso_exemptions (tenant_id, user_id, created_at) values (${tenantId}, ${userId}, now())`,
    )
    await db.run(sql`
      insert into scim_users (tenant_id, id, connection_id, user_id, user_name, user_name_folded, email, email_folded,
        active, created_at, updated_at)
      values (${tenantId}, ${user}, ${connection}, ${userId}, 'any', 'any', '', '', true, now(), now())`)
    await db.run(sql`
      insert into scim_groups (tenant_id, id, connection_id, display_name, display_name_folded, created_at, updated_at)
      values (${tenantId}, ${group}, ${connection}, 'any', 'any', now(), now())`)
    await db.run(sql`
      insert into scim_group_members (tenant_id, group_id, member_id) values (${tenantId}, ${group}, ${user})`)
  })
  return connection
}
