/** Support sessions for tests, through the API as people would. */
import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { builtInTenant, platformAdminId, type PermissionCode } from '../src/access/permissions.ts'
import { assign, newTenant, newUser, ok, type Caller, type Tenant } from './factories.ts'
import { upsertSupportRequest } from '../src/access/support.store.ts'
import { insertOpening } from '../src/features/sign-in/support/openings.store.ts'
import { insertSupport } from '../src/features/sign-in/support/support.store.ts'
import { call, parts, type Call } from './harness.ts'
import { addTotp, signInWithCode, withTokens } from './second-factors.ts'

/** The user in a session with a second factor. */
export const careful = async (user: Caller): Promise<Caller> => signInWithCode(user, await addTotp(user))

/** A platform administrator of its own, in a session with a second factor. */
export const newStaff = async (): Promise<Caller> => {
  const user = await newUser(builtInTenant.id)
  await assign(builtInTenant.id, user.userId, platformAdminId)
  return careful(user)
}

/** A caller in a tenant that is not the own one. */
export const within = (caller: Caller, tenantId: string): Caller => {
  const there = { token: caller.token, tenant: tenantId }
  return {
    ...caller,
    get: (path, options?: Call) => call('GET', path, { ...there, ...options }),
    post: (path, body, options) => call('POST', path, { ...there, body, ...options }),
    put: (path, body, options) => call('PUT', path, { ...there, body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { ...there, body, ...options }),
    delete: (path, options) => call('DELETE', path, { ...there, ...options }),
  }
}

export const asked = { kind: 'act', reason: 'Ticket 4711', minutes: 30 }

export interface Supported {
  tenant: Tenant
  /** As whom staff works. */
  user: Caller
  /** The administrator of the tenant, with a second factor. */
  admin: Caller
  /** In the tenant. */
  staff: Caller
}

/** A tenant with a user, an administrator and staff in it. */
export const supported = async (...codes: PermissionCode[]): Promise<Supported> => {
  const tenant = await newTenant()
  const [user, staff] = [await tenant.userWith(...codes), await newStaff()]
  return { tenant, user, admin: await careful(tenant.admin), staff: within(staff, tenant.id) }
}

/** Asks, and lets the user allow it. Returns the id. */
export const allowed = async (actor: Caller, user: Caller, fields: object = {}): Promise<string> => {
  const { id } = ok(await actor.post('/support/sessions', { user_id: user.userId, ...asked, ...fields }))
  ok(await user.post(`/support/sessions/${id}/decide`, { allow: true }))
  return id
}

/** Starts a support session. Returns the user, by its token. */
export const begin = async (actor: Caller, user: Caller, id: string): Promise<Caller> => {
  const { access_token: token } = ok(await actor.post(`/support/sessions/${id}/token`))
  return withTokens(user, { access_token: token, refresh_token: token })
}

/** A support session of an actor, with the id and the caller in it. */
export const openSupport = async (actor: Caller, user: Caller, fields: object = {}) => {
  const id = await allowed(actor, user, fields)
  return { id, session: await begin(actor, user, id) }
}

const accountOf = async (tenantId: string, userId: number): Promise<number> =>
  (
    await parts.store
      .scoped({ tenantId })
      .only<{ id: number }>(
        sql`select account_id as id from users where tenant_id = ${tenantId} and id = ${userId}`,
      )
  ).id

/** A question of a user of the tenant to another one. Returns its id. */
export const insertQuestion = async (
  actor: Pick<Caller, 'tenantId' | 'userId' | 'username'>,
  user: Pick<Caller, 'userId' | 'username'>,
  status: 'waiting' | 'ready' = 'waiting',
): Promise<string> => {
  const { tenantId } = actor
  const id = randomUUID()
  const [actorAccount, account] = [
    await accountOf(tenantId, actor.userId),
    await accountOf(tenantId, user.userId),
  ]
  await parts.store.transaction({ tenantId }, async (db) => {
    insertSupport(db, {
      tenantId,
      id,
      user: { id: user.userId, name: user.username, accountId: account },
      actor: { tenantId, id: actor.userId, name: actor.username, accountId: actorAccount },
      ...asked,
      permissions: [],
      status,
    })
    // As if somebody had allowed it.
    if (status === 'ready') {
      db.send(
        sql`update support_sessions set decided_by = user_id where tenant_id = ${tenantId} and id = ${id}`,
      )
    }
  })
  return id
}

/** A question in a tenant, with a request and a code. Returns its id. */
export const insertSupportRows = async (tenant: Pick<Tenant, 'id' | 'admin' | 'member'>): Promise<string> => {
  const { id: tenantId, admin } = tenant
  const supportId = await insertQuestion(await tenant.member(), admin)
  await parts.store.transaction({ tenantId }, async (db) => {
    insertOpening(db, {
      tenantId,
      id: randomUUID(),
      supportId,
      applicationId: 1,
      codeHash: randomBytes(32),
      codeChallenge: 'any',
    })
    await upsertSupportRequest(db, { tenantId, id: supportId }, { method: 'GET', path: '/any' })
  })
  return supportId
}
