/** A tenant with a directory, for tests. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { anyConfig } from './connection-rows.ts'
import { keyWith, newTenant, unique, type KeyCaller, type Tenant } from './factories.ts'
import { call, parts, type Answer } from './harness.ts'
import { requireConforming } from './scim-schemas.ts'

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface TestDirectory {
  tenant: Tenant
  key: KeyCaller
  connectionId: string
  domain: string
  /** Sends a request below `/scim/v2`. */
  send: (method: Method, path: string, body?: unknown) => Promise<Answer>
  /** Creates a user, and gives the resource. */
  push: (user?: object) => Promise<Record<string, unknown> & { id: string; userName: string }>
  /** Sends operations. */
  patch: (path: string, ...operations: object[]) => Promise<Answer>
  /** A role that holders of a group get. */
  map: (groupId: string, roleId: number) => Promise<void>
}

/** Names a service account as the directory of a new connection, with a verified domain. */
const connect = async (tenantId: string, accountId: number, domain: string): Promise<string> => {
  const id = randomUUID()
  await parts.store.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      insert into connections (tenant_id, id, type, name, status, config, scim_account_id, created_at, updated_at)
      values (${tenantId}, ${id}, 'oidc', 'Any', 'active', ${JSON.stringify(anyConfig)}, ${accountId}, now(), now())`)
    await db.run(sql`insert into domain_owners (domain, owner_tenant_id) values (${domain}, ${tenantId})`)
    await db.run(sql`
      insert into domains (tenant_id, domain, token, status, connection_id, created_at, verified_at)
      values (${tenantId}, ${domain}, 'any', 'verified', ${id}, now(), now())`)
  })
  return id
}

/** Sends a request below `/scim/v2`. Its answer conforms to the schemas of another implementation. */
export const scim = async (token: string, method: Method, path: string, body?: unknown): Promise<Answer> => {
  const answer = await call(method, `//scim/v2${path}`, { token, ...(body !== undefined && { body }) })
  // A client can leave out what a schema requires.
  const isWhole = !path.includes('ttributes=')
  if (answer.status < 300 && answer.body && isWhole) requireConforming(answer.body)
  return answer
}

export const newDirectory = async (): Promise<TestDirectory> => {
  const tenant = await newTenant()
  const key = await keyWith(tenant.id, ['scim:provision'])
  const domain = `${unique('d')}.example.com`
  const connectionId = await connect(tenant.id, key.userId, domain)
  const send: TestDirectory['send'] = (method, path, body) => scim(key.token, method, path, body)
  return {
    tenant,
    key,
    connectionId,
    domain,
    send,
    push: async (user = {}) => {
      const { status, body } = await send('POST', '/Users', {
        userName: `${unique('u')}@${domain}`,
        ...user,
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body as Awaited<ReturnType<TestDirectory['push']>>
    },
    patch: (path, ...operations) => send('PATCH', path, { schemas: [patchSchema], Operations: operations }),
    map: async (groupId, roleId) => {
      await parts.store.scoped({ tenantId: tenant.id }).run(sql`
        insert into group_mappings (tenant_id, connection_id, group_name, role_id)
        values (${tenant.id}, ${connectionId}, ${groupId}, ${roleId})`)
    },
  }
}
