/** Tenants, users and roles for tests, made through the API as an administrator would. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { builtInIdMax, builtInTenant, permissions, type PermissionCode } from '../src/access/permissions.ts'
import { call, parts, type Answer, type Call } from './harness.ts'

export const password = 'correct horse battery'

/** A short unique name. */
export const unique = (prefix = 'n'): string => `${prefix}${randomBytes(6).toString('hex')}`

/** A signed-in user. Calls name their own tenant unless the options name another. */
export interface Caller {
  userId: number
  tenantId: string
  email: string
  username: string
  token: string
  refreshToken: string
  get(path: string, options?: Call): Promise<Answer>
  post(path: string, body?: unknown, options?: Call): Promise<Answer>
  put(path: string, body?: unknown, options?: Call): Promise<Answer>
  delete(path: string, options?: Call): Promise<Answer>
}

const callerOf = (who: Omit<Caller, 'get' | 'post' | 'put' | 'delete'>): Caller => {
  const own = { token: who.token, tenant: who.tenantId }
  return {
    ...who,
    get: (path, options) => call('GET', path, { ...own, ...options }),
    post: (path, body, options) => call('POST', path, { ...own, body, ...options }),
    put: (path, body, options) => call('PUT', path, { ...own, body, ...options }),
    delete: (path, options) => call('DELETE', path, { ...own, ...options }),
  }
}

/** Fails the test with the answer when a step of its preparation is refused. */
export const ok = ({ status, body, data }: Answer) => {
  if (status !== 200) throw new Error(`a step of the preparation was refused: ${JSON.stringify(body)}`)
  return data
}

/** Signs a user in again. */
export const signIn = async (
  user: Pick<Caller, 'userId' | 'tenantId' | 'email' | 'username'>,
  withPassword = password,
): Promise<Caller> => {
  const pair = ok(await call('POST', '/auth/login', { body: { email: user.email, password: withPassword } }))
  const { userId, tenantId, email, username } = user
  return callerOf({
    userId,
    tenantId,
    email,
    username,
    token: pair.access_token,
    refreshToken: pair.refresh_token,
  })
}

const first: { admin?: Promise<Caller> } = {}

const registerFirst = async (): Promise<Caller> => {
  const username = unique('root')
  const email = `${username}@example.com`
  const pair = ok(await call('POST', '/auth/register', { body: { email, username, password } }))
  const profile = ok(await call('GET', '/profile', { token: pair.access_token }))
  return callerOf({
    userId: profile.id,
    tenantId: builtInTenant.id,
    email,
    username,
    token: pair.access_token,
    refreshToken: pair.refresh_token,
  })
}

/** The platform administrator of the installation under test: the first account registered in it. */
export const platformAdmin = (): Promise<Caller> => (first.admin ??= registerFirst())

/** Registers an account in the built-in tenant. */
export const register = async (): Promise<Caller> => {
  await platformAdmin()
  return registerFirst()
}

export interface Tenant {
  id: string
  slug: string
  /** Holds the system role `admin`. */
  admin: Caller
  /** A new user with only the starting role. */
  member(): Promise<Caller>
  /** A new user who holds exactly these permissions (through a role of their own, without the starting role). */
  userWith(...codes: PermissionCode[]): Promise<Caller>
  /** A new role with these permissions. */
  role(...codes: PermissionCode[]): Promise<{ id: number; name: string }>
}

/** Creates a user in a tenant and signs them in. */
export const newUser = async (tenantId: string): Promise<Caller> => {
  const root = await platformAdmin()
  const username = unique('u')
  const email = `${username}@example.com`
  const user = ok(await root.post('/users', { email, username, password }, { tenant: tenantId }))
  return signIn({ userId: user.id, tenantId, email, username })
}

/** System roles have the same ids in every tenant. */
const systemRoleIds = new Map<string, number>()

/** The id of a system role of a tenant. */
export const systemRoleId = async (tenantId: string, name: string): Promise<number> => {
  const known = systemRoleIds.get(name)
  if (known !== undefined) return known
  const root = await platformAdmin()
  const roles: { id: number; name: string }[] = ok(await root.get('/rbac/roles', { tenant: tenantId }))
  for (const role of roles) if (role.id <= builtInIdMax) systemRoleIds.set(role.name, role.id)
  return systemRoleIds.get(name) ?? 0
}

export const assign = async (tenantId: string, userId: number, roleId: number): Promise<void> => {
  const root = await platformAdmin()
  ok(await root.post(`/rbac/users/${userId}/roles`, { role_id: roleId }, { tenant: tenantId }))
}

const newRoleWith = async (tenantId: string, ids: number[]) => {
  const root = await platformAdmin()
  const role = ok(await root.post('/rbac/roles', { name: unique('role') }, { tenant: tenantId }))
  ok(await root.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: ids }, { tenant: tenantId }))
  return { id: role.id as number, name: role.name as string }
}

const newRole = (tenantId: string, ...codes: PermissionCode[]) =>
  newRoleWith(
    tenantId,
    permissions.filter(({ code }) => codes.includes(code)).map(({ id }) => id),
  )

/** Gives a user a new role with permissions, those of the product too. */
export const newRoleFor = async (
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  permissionIds: number[],
): Promise<void> => assign(tenantId, userId, (await newRoleWith(tenantId, permissionIds)).id)

const userWith = async (tenantId: string, codes: PermissionCode[]): Promise<Caller> => {
  const root = await platformAdmin()
  const user = await newUser(tenantId)
  const role = await newRole(tenantId, ...codes)
  await assign(tenantId, user.userId, role.id)
  const member = await systemRoleId(tenantId, 'member')
  ok(await root.delete(`/rbac/users/${user.userId}/roles/${member}`, { tenant: tenantId }))
  return user
}

/** A service account with exactly these permissions, which calls by a key. */
export interface KeyCaller extends Caller {
  keyId: number
}

/** Creates a service account and a key of it; `bounds` are fields of the key. */
export const keyWith = async (
  tenantId: string,
  codes: PermissionCode[],
  bounds: { expires_at?: string; allowed_cidrs?: string[] } = {},
): Promise<KeyCaller> => {
  const root = await platformAdmin()
  const tenant = { tenant: tenantId }
  const { id, name } = ok(await root.post('/service-accounts', { name: unique('service') }, tenant))
  if (codes.length > 0) await assign(tenantId, id, (await newRole(tenantId, ...codes)).id)
  const key = ok(await root.post(`/service-accounts/${id}/keys`, { name: 'any', ...bounds }, tenant))
  const who = { userId: id, tenantId, email: '', username: name, token: key.secret, refreshToken: '' }
  return { ...callerOf(who), keyId: key.id }
}

/** Creates a tenant with an administrator in it. */
export const newTenant = async (): Promise<Tenant> => {
  const root = await platformAdmin()
  const slug = unique('t')
  const { id } = ok(await root.post('/org/tenants', { name: `Tenant ${slug}`, slug }))
  const admin = await newUser(id)
  await assign(id, admin.userId, await systemRoleId(id, 'admin'))
  return {
    id,
    slug,
    admin,
    member: () => newUser(id),
    userWith: (...codes) => userWith(id, codes),
    role: (...codes) => newRole(id, ...codes),
  }
}

/** Inserts many tenants by SQL, without roles and users; every tenth is disabled. */
export const manyTenants = async (mark: string, count: number): Promise<void> => {
  const db = parts.store.scoped({ tenantId: builtInTenant.id })
  // A statement may take five seconds.
  const step = 10_000
  for (let from = 1; from <= count; from += step) {
    await db.run(sql`
      insert into tenants (id, name, slug, status, created_at, updated_at)
      select gen_random_uuid(), 'Branch ' || n || ' of a company with a rather long name', ${mark}::text || '-' || n,
        (n % 10 > 0)::int, now() - n * interval '1 hour', now()
      from generate_series(${from}::int, ${Math.min(from + step - 1, count)}::int) n
      returning id`)
  }
}

export const removeManyTenants = (mark: string) =>
  parts.store
    .scoped({ tenantId: builtInTenant.id })
    .run(sql`update tenants set deleted_at = now() where slug like ${`${mark}-%`}`)

/** The built-in tenant, to make users and roles in. */
export const builtIn = {
  id: builtInTenant.id,
  member: () => newUser(builtInTenant.id),
  userWith: (...codes: PermissionCode[]) => userWith(builtInTenant.id, codes),
  role: (...codes: PermissionCode[]) => newRole(builtInTenant.id, ...codes),
}

/** Deletes the permissions and templates of the product: other tests see the catalogue without any. */
export const clearCatalogue = async (): Promise<void> => {
  const root = await platformAdmin()
  for (const path of ['/rbac/role-templates', '/rbac/permissions']) {
    const entries: { id: number; is_builtin?: boolean }[] = ok(await root.get(path))
    for (const { id, is_builtin: isBuiltIn } of entries) {
      if (!(isBuiltIn ?? id < 1000)) ok(await root.delete(`${path}/${id}`))
    }
  }
}

/** Texts that are no id in a path: docs/contract.md, "Requests and responses". */
export const badIds = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '01',
  '0x1',
  '+1',
  '9007199254740992',
  '1'.repeat(30),
  'abc',
  '%20',
]

/** An id without a resource. */
export const nobodysId = Number.MAX_SAFE_INTEGER

/** The ids of permissions, in the order of the catalogue. */
export const permissionIds = (...codes: PermissionCode[]): number[] =>
  permissions.filter(({ code }) => codes.includes(code)).map(({ id }) => id)

export interface AuditRecord {
  user_id: number
  action: string
  resource: string
  resource_id: string
  detail: Record<string, { from: unknown; to: unknown }>
}

/** The audit records of a tenant about one resource, newest first. */
export const auditRecords = async (tenantId: string, resource: string, id: number | string) => {
  const root = await platformAdmin()
  const about = `resource=${resource}&resource_id=${encodeURIComponent(id)}`
  const page = ok(await root.get(`/audit/logs?page_size=200&${about}`, { tenant: tenantId }))
  return page.items as AuditRecord[]
}

/** How many audit records a tenant has: a refused request leaves none. */
export const countAuditRecords = async (tenantId: string): Promise<number> => {
  const root = await platformAdmin()
  return ok(await root.get('/audit/logs?page_size=1', { tenant: tenantId })).total
}
