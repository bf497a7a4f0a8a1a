/**
 * Tenants, users and roles for tests, with the rows and audit records that the API leaves. The stores of their features write
 * them, because half of all requests of the tests once made them. A test about creation or sign-in calls the API.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { builtInTemplates } from '../src/access/built-in-templates.ts'
import { builtInTenant, permissions, startingRole, type PermissionCode } from '../src/access/permissions.ts'
import type { TransactionDb } from '../src/db/client.ts'
import type { Action } from '../src/features/audit/audit/actions.schemas.ts'
import { changesBetween, naming, type Detail } from '../src/features/audit/audit/audit.service.ts'
import { insertAuditLog } from '../src/features/audit/audit/audit.store.ts'
import { insertRole, insertRolePermissions } from '../src/features/accounts/roles/roles.store.ts'
import { deleteUserRoleRow, insertUserRoles } from '../src/features/accounts/roles/assignments.store.ts'
import { refreshExpiry } from '../src/features/accounts/sessions/sessions.service.ts'
import { insertSession } from '../src/features/accounts/sessions/sessions.store.ts'
import { insertUser } from '../src/features/accounts/users/users.store.ts'
import { updateLastLogin } from '../src/features/sign-in/auth/auth.store.ts'
import { insertTenant } from '../src/features/tenancy/tenants/tenants.store.ts'
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
  patch(path: string, body?: unknown, options?: Call): Promise<Answer>
  delete(path: string, options?: Call): Promise<Answer>
}

const callerOf = (who: Omit<Caller, 'get' | 'post' | 'put' | 'patch' | 'delete'>): Caller => {
  const own = { token: who.token, tenant: who.tenantId }
  return {
    ...who,
    get: (path, options) => call('GET', path, { ...own, ...options }),
    post: (path, body, options) => call('POST', path, { ...own, body, ...options }),
    put: (path, body, options) => call('PUT', path, { ...own, body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { ...own, body, ...options }),
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

/** The platform administrator as the only one: those of other tests lose the role. */
export const onlyPlatformAdmin = async (): Promise<Caller> => {
  const root = await platformAdmin()
  const path = `/rbac/roles/${systemRoleId('platform-admin')}/users`
  const { items } = ok(await root.get(`${path}?page_size=100`)) as { items: { id: number }[] }
  const others = items.map(({ id }) => id).filter((id) => id !== root.userId)
  if (others.length > 0) ok(await root.post(path, { user_ids: others, held: false }))
  return root
}

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

/** Every test password is the same, and so is its hash. */
const hashed: { password?: ReturnType<typeof parts.hasher.hash> } = {}

const origin = { ip: '127.0.0.1', userAgent: 'node' }

/** Writes the audit record of a user's act, or of the platform administrator's. */
const leaveRecord = async (
  db: TransactionDb,
  tenantId: string,
  {
    action,
    id,
    about,
    by,
    detail,
  }: {
    action: Action
    id: number | string
    about?: number
    by?: Pick<Caller, 'userId' | 'username'>
    detail?: Detail
  },
): Promise<void> => {
  const { userId, username } = by ?? (await platformAdmin())
  const resource = action.slice(0, action.indexOf('.'))
  const log = {
    tenant_id: tenantId,
    user_id: userId,
    action,
    resource,
    resource_id: String(id),
    on_behalf_of: null,
    application_id: null,
    about_user_id: resource === 'user' ? Number(id) : (about ?? null),
    detail: { ...detail, actor: { name: username, kind: 'user' } },
    ip: origin.ip,
    user_agent: origin.userAgent,
    trace_id: randomBytes(16).toString('hex'),
  }
  insertAuditLog(db, log, parts.now())
}

/** The id of a system role, which is the same in every tenant. */
export const systemRoleId = (name: string): number => {
  const template = builtInTemplates.find((one) => one.name === name)
  if (!template) throw new Error(`there is no system role ${name}`)
  return template.id
}

const startingRoleId = systemRoleId(startingRole)

type Roles = (db: TransactionDb, userId: number) => Promise<void> | void

/** Adds a signed-in user to a tenant, who also gets `roles`. */
const addUser = async (tenantId: string, roles: Roles = () => undefined): Promise<Caller> => {
  await platformAdmin()
  const username = unique('u')
  const email = `${username}@example.com`
  const stored = await (hashed.password ??= parts.hasher.hash(password))
  const now = parts.now()
  const session = { tenantId, sessionId: randomUUID(), generation: 0, amr: ['pwd'], isRestricted: false }
  const userId = await parts.store.transaction({ tenantId }, async (db) => {
    const { id } = await insertUser(db, { tenantId, email, username, nickname: '', status: 1 }, stored, now)
    const living = { tenantId, id: session.sessionId, userId: id, amr: session.amr, now }
    insertSession(db, { ...living, ...origin, expiresAt: refreshExpiry(now) })
    updateLastLogin(db, { tenantId, userId: id, ip: origin.ip, now })
    await leaveRecord(db, tenantId, {
      action: 'user.create',
      id,
      detail: changesBetween({}, { email, username, nickname: '', status: 1 }),
    })
    await roles(db, id)
    const by = { userId: id, username }
    await leaveRecord(db, tenantId, { action: 'auth.login', id, by, detail: naming({ username }) })
    return id
  })
  const [token, refreshToken] = await Promise.all([
    parts.tokens.sign('access', { ...session, userId }, now),
    parts.tokens.sign('refresh', { ...session, userId }, now),
  ])
  return callerOf({ userId, tenantId, email, username, token, refreshToken })
}

/** Adds a signed-in user with the starting role to a tenant. */
export const newUser = (tenantId: string): Promise<Caller> => addUser(tenantId)

export const assign = async (tenantId: string, userId: number, roleId: number): Promise<void> => {
  const root = await platformAdmin()
  ok(await root.post(`/rbac/users/${userId}/roles`, { role_id: roleId }, { tenant: tenantId }))
}

const giveRole = async (db: TransactionDb, tenantId: string, userId: number, roleId: number) => {
  const giver = { id: 0, elsewhere: null, accountId: null }
  insertUserRoles(db, { tenantId, userIds: [userId], roleId, giver, expiresAt: undefined })
  await leaveRecord(db, tenantId, { action: 'role.assign', id: roleId, about: userId })
}

const addRole = async (db: TransactionDb, tenantId: string, ids: number[]) => {
  const role = await insertRole(db, { tenantId, name: unique('role'), description: '', now: parts.now() })
  if (!role) throw new Error('the name of a new role is taken')
  const { id, name } = role
  await leaveRecord(db, tenantId, {
    action: 'role.create',
    id,
    detail: changesBetween({}, { name, description: '' }),
  })
  if (ids.length > 0) {
    insertRolePermissions(db, tenantId, id, ids)
    const codes = permissions.filter((one) => ids.includes(one.id)).map(({ code }) => code)
    const detail = { ...naming({ name }), permissions: { from: [], to: codes } }
    await leaveRecord(db, tenantId, { action: 'role.replace_permissions', id, detail })
  }
  return { id, name }
}

const newRoleWith = (tenantId: string, ids: number[]) =>
  parts.store.transaction({ tenantId }, (db) => addRole(db, tenantId, ids))

const newRole = (tenantId: string, ...codes: PermissionCode[]) =>
  newRoleWith(tenantId, permissionIds(...codes))

/** Gives a user a new role with permissions, those of the product too. */
export const newRoleFor = async (
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  permissionIds: number[],
): Promise<void> => assign(tenantId, userId, (await newRoleWith(tenantId, permissionIds)).id)

const userWith = (tenantId: string, codes: PermissionCode[]): Promise<Caller> =>
  addUser(tenantId, async (db, userId) => {
    const role = await addRole(db, tenantId, permissionIds(...codes))
    await giveRole(db, tenantId, userId, role.id)
    await deleteUserRoleRow(db, tenantId, userId, startingRoleId)
    await leaveRecord(db, tenantId, { action: 'role.unassign', id: startingRoleId, about: userId })
  })

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

/** Adds a tenant with an administrator in it. */
export const newTenant = async (): Promise<Tenant> => {
  const id = randomUUID()
  const slug = unique('t')
  const name = `Tenant ${slug}`
  await platformAdmin()
  await parts.store.transaction({ tenantId: builtInTenant.id }, async (db) => {
    await insertTenant(db, { id, name, slug }, parts.now())
    await leaveRecord(db, builtInTenant.id, {
      action: 'tenant.create',
      id,
      detail: changesBetween({}, { name, slug, status: 1 }),
    })
  })
  const admin = await addUser(id, (db, userId) => giveRole(db, id, userId, systemRoleId('admin')))
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
