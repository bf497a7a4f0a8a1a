/** Rows of enterprise sign-in, for tests that look at every table of a tenant. */
import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import sql from 'sql-template-tag'
import type { TransactionDb } from '../src/db/client.ts'
import { bindingOf } from '../src/features/federation/sso/connection-config.service.ts'
import type { OidcConfig } from '../src/features/federation/sso/oidc.ts'
import type { Caller, Tenant } from './factories.ts'
import { parts } from './harness.ts'
import { insertSetup } from './setup-rows.ts'

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

const insertConnection = async (
  db: TransactionDb,
  tenantId: string,
  { id, status }: { id: string; status: string },
): Promise<void> => {
  const sealed = parts.secrets.seal('a secret of the provider', bindingOf(id))
  await db.run(sql`
    insert into connection_secrets (id, connection_tenant_id, sealed) values (${id}, ${tenantId}, ${sealed})`)
  await db.run(sql`
    insert into connections (tenant_id, id, type, name, status, config, created_at, updated_at)
    values (${tenantId}, ${id}, 'oidc', 'Any', ${status}, ${JSON.stringify(anyConfig)}, now(), now())`)
}

/** A connection that signs people in. */
export const insertActiveConnection = async ({ id: tenantId }: Pick<Tenant, 'id'>): Promise<string> => {
  const id = randomUUID()
  await parts.store.transaction({ tenantId }, (db) =>
    insertConnection(db, tenantId, { id, status: 'active' }),
  )
  return id
}

/** The same user, whose session the connection has opened. */
export const bySso = async (user: Caller, connection: string): Promise<Caller> => {
  const session = decodeJwt(user.token)['sid']
  await parts.store.scoped({ tenantId: user.tenantId }).run(sql`
    update sessions set connection_id = ${connection}, amr = '{sso}'
    where tenant_id = ${user.tenantId} and id = ${session}`)
  return user
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
    await insertConnection(db, tenantId, { id: connection, status: 'draft' })
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
    await db.run(sql`
      insert into sso_exemptions (tenant_id, user_id, account_id, created_at)
      select tenant_id, id, account_id, now() from users where tenant_id = ${tenantId} and id = ${userId}`)
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
  await insertSetup({ id: tenantId, admin }, connection)
  return connection
}
