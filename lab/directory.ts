/** Creates a tenant's directory through the API, as an administrator would, and calls SCIM. */
import { addKey, ok, request, unique, type Answer, type Call, type Machine, type Session } from './client.ts'
import { startNameServer, type NameServer } from './name-server.ts'
import { curveKey, metadataXml } from './saml.ts'

/** A DNS server for a service that proves domains. */
export interface Names {
  /** Settings of the service. */
  env: Record<string, string>
  /** The TXT records of names. */
  texts: Record<string, string[][]>
  stop: NameServer['stop']
}

export const openNames = async (): Promise<Names> => {
  const texts: Names['texts'] = {}
  const { server, stop } = await startNameServer({}, texts)
  return { env: { TENANTRY_DNS_SERVERS: server }, texts, stop }
}

export const proveDomain = async (admin: Session, { texts }: Names, domain: string): Promise<void> => {
  const { id, record_name: name, record_value: value } = ok(await admin.call('POST', '/domains', { domain }))
  texts[name] = [[value]]
  const { status } = ok(await admin.call('POST', `/domains/${id}/verify`))
  if (status !== 'verified') throw new Error(`${domain} is ${status}`)
}

/** Nobody signs in with this certificate. */
const { certificate } = curveKey('prime256v1')

/** `methodAndPath` is such as `GET /Users`, with the path below `/scim/v2`. */
export const scim = (
  { base, token }: Pick<Session, 'base' | 'token'>,
  methodAndPath: string,
  body?: unknown,
  more: Call = {},
): Promise<Answer> => {
  const [method = '', ...path] = methodAndPath.split(' ')
  return request(base, method, `/scim/v2${path.join(' ')}`, { token, body, timeoutMs: 60_000, ...more })
}

export interface Directory {
  admin: Session
  domain: string
  connectionId: string
  /** The service account, which calls by a key. */
  machine: Machine
}

/** Gives a service account the permission `scim:provision`. Returns the id of its new role. */
export const letProvision = async (admin: Session, accountId: number): Promise<number> => {
  const permissions: { id: number; code: string }[] = ok(await admin.call('GET', '/rbac/permissions'))
  const ids = permissions.filter(({ code }) => code === 'scim:provision').map(({ id }) => id)
  const { id } = ok(await admin.call('POST', '/rbac/roles', { name: unique('provisioning') }))
  ok(await admin.call('PUT', `/rbac/roles/${id}/permissions`, { permission_ids: ids }))
  ok(await admin.call('POST', `/rbac/users/${accountId}/roles`, { role_id: id }))
  return id as number
}

/** Proves a domain, and connects a provider with a directory. `admin` holds all permissions of the tenant. */
export const openDirectory = async (admin: Session, names: Names): Promise<Directory> => {
  const domain = `${unique('d')}.example.com`
  await proveDomain(admin, names, domain)
  const machine = await addKey(admin, admin.tenantId, unique('directory'))
  await letProvision(admin, machine.userId)
  const connection = {
    type: 'saml',
    name: 'A provider',
    metadata: metadataXml(`https://${domain}`, certificate),
    domains: [domain],
    scim_account_id: machine.userId,
  }
  const { id } = ok(await admin.call('POST', '/connections', connection))
  return { admin, domain, connectionId: id, machine }
}

export const patchOf = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})
