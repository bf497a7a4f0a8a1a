import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, tally } from '../../test/answers.ts'
import {
  countAuditRecords,
  newUser,
  ok,
  password,
  platformAdmin,
  systemRoleId,
  unique,
} from '../../test/factories.ts'
import { call, type Answer, type Running } from '../../test/harness.ts'
import { openInstallation, startOn, type Installation } from '../../test/installation.ts'
import { builtInTenant } from './permissions.ts'

/** A separate installation, because these tests try to leave it without an administrator. */
let installation: Installation
let at: Running
let roleId: number

interface Admin {
  userId: number
  email: string
  ask(method: string, path: string, body?: unknown): Promise<Answer>
}

const signedIn = async (email: string): Promise<Admin> => {
  const { access_token: token } = ok(await call('POST', '/auth/login', { body: { email, password }, at }))
  const ask: Admin['ask'] = (method, path, body) =>
    call(method, path, { token, tenant: builtInTenant.id, body, at })
  return { userId: ok(await ask('GET', '/profile')).id, email, ask }
}

const register = async (): Promise<Admin> => {
  const username = unique('root')
  const email = `${username}@example.com`
  ok(await call('POST', '/auth/register', { body: { email, username, password }, at }))
  return signedIn(email)
}

/** The arguments of `ask` for a request that would remove the administrator's role. */
type Attack = (userId: number) => Parameters<Admin['ask']>

const strip: Attack = (userId) => ['DELETE', `/rbac/users/${userId}/roles/${roleId}`]
const endSoon: Attack = (userId) => [
  'PUT',
  `/rbac/users/${userId}/roles/${roleId}`,
  { expires_at: new Date(Date.now() + 86_400_000).toISOString() },
]
const erase: Attack = (userId) => ['DELETE', `/users/${userId}`]
const disable: Attack = (userId) => ['PUT', `/users/${userId}`, { status: 0 }]
const disableAmongMany: Attack = (userId) => ['POST', '/users/status', { user_ids: [userId], status: 0 }]
const stripAmongMany: Attack = (userId) => [
  'POST',
  `/rbac/roles/${roleId}/users`,
  { user_ids: [userId], held: false },
]

/** The remaining administrator: enabled, a platform administrator, and signed in again if needed. */
let last: Admin

const second = async (): Promise<Admin> => {
  const admin = await register()
  ok(await last.ask('POST', `/rbac/users/${admin.userId}/roles`, { role_id: roleId }))
  return admin
}

const enabledAdmins = async (): Promise<number> => {
  const rows = await installation.parts.store.scoped({ tenantId: builtInTenant.id }).many(sql`
    select u.id from users u
    join user_roles r on r.tenant_id = u.tenant_id and r.user_id = u.id
    where r.role_id = ${roleId} and u.status = 1`)
  return rows.length
}

beforeAll(async () => {
  installation = await openInstallation()
  at = await startOn(installation.parts)
  last = await register()
  const roles = ok(await last.ask('GET', '/rbac/roles')) as { id: number; name: string }[]
  roleId = roles.find(({ name }) => name === 'platform-admin')?.id ?? 0
})

afterAll(async () => {
  await at.app.close()
  await installation.remove()
})

describe('the last platform administrator', () => {
  test('does not lose the role', async () => {
    expect(await last.ask(...strip(last.userId))).toMatchObject(refusal('lastPlatformAdmin'))
    expect((await last.ask('GET', '/org/tenants')).status).toBe(200)
  })

  test('neither disables nor deletes themselves', async () => {
    expect(await last.ask(...disable(last.userId))).toMatchObject(refusal('ownAccount'))
    expect(await last.ask(...erase(last.userId))).toMatchObject(refusal('ownAccount'))
  })

  test('stays against a caller with all permissions through another role', async () => {
    const rival = await register()
    const all = (ok(await last.ask('GET', '/rbac/permissions')) as { id: number }[]).map(({ id }) => id)
    const role = ok(await last.ask('POST', '/rbac/roles', { name: 'everything' }))
    ok(await last.ask('PUT', `/rbac/roles/${role.id}/permissions`, { permission_ids: all }))
    ok(await last.ask('POST', `/rbac/users/${rival.userId}/roles`, { role_id: role.id }))
    for (const attack of [strip, endSoon, erase, disable, disableAmongMany, stripAmongMany]) {
      expect(await rival.ask(...attack(last.userId))).toMatchObject(refusal('lastPlatformAdmin'))
    }
    expect((await last.ask('GET', '/org/tenants')).status).toBe(200)
    ok(await last.ask(...erase(rival.userId)))
  })

  test('is the last also beside users with all permissions but one, who cannot take the role', async () => {
    const rival = await register()
    const listed = ok(await last.ask('GET', '/rbac/permissions')) as { id: number; code: string }[]
    const all = listed.filter(({ code }) => code !== 'tenant:enter').map(({ id }) => id)
    const everything = ok(await last.ask('POST', '/rbac/roles', { name: 'everything else' }))
    ok(await last.ask('PUT', `/rbac/roles/${everything.id}/permissions`, { permission_ids: all }))
    ok(await last.ask('POST', `/rbac/users/${rival.userId}/roles`, { role_id: everything.id }))
    const roles = ok(await last.ask('GET', '/rbac/roles')) as { id: number; name: string }[]
    const role_id = roles.find(({ name }) => name === 'platform-admin')?.id
    expect(await rival.ask('POST', `/rbac/users/${rival.userId}/roles`, { role_id })).toMatchObject(
      refusal('grantExceedsOwn'),
    )
    expect(await enabledAdmins()).toBe(1)
    ok(await last.ask(...erase(rival.userId)))
  })

  test('is the enabled one of two: a disabled one does not count', async () => {
    const other = await second()
    ok(await last.ask(...disable(other.userId)))
    expect(await last.ask(...strip(last.userId))).toMatchObject(refusal('lastPlatformAdmin'))
    expect((await last.ask(...strip(other.userId))).status).toBe(200)
    expect((await last.ask(...erase(other.userId))).status).toBe(200)
  })

  test('may go once there is another one', async () => {
    const [other, third] = [await second(), await second()]
    expect((await other.ask(...strip(third.userId))).status).toBe(200)
    expect((await other.ask(...strip(other.userId))).status).toBe(200)
    expect(await other.ask('GET', '/org/tenants')).toMatchObject(refusal('permissionMissing'))
    expect(await enabledAdmins()).toBe(1)
  })

  test.each([
    ['strip', strip],
    ['delete', erase],
    ['disable', disable],
  ])('is left when two of them %s each other with 50 requests at once', async (_verb, attack) => {
    const other = await second()
    expect(await enabledAdmins()).toBe(2)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? last.ask(...attack(other.userId)) : other.ask(...attack(last.userId)),
      ),
    )
    for (const { status } of answers) expect([200, 400, 401, 403, 404]).toContain(status)
    expect(await enabledAdmins()).toBe(1)
    const pings = await Promise.all([last.ask('GET', '/org/tenants'), other.ask('GET', '/org/tenants')])
    expect(tally(pings)[200]).toBe(1)
    last = pings[0]?.status === 200 ? last : other
  })

  test('is left when each of two strips themselves with 50 requests at once', async () => {
    const other = await second()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const admin = index % 2 === 0 ? last : other
        return admin.ask(...strip(admin.userId))
      }),
    )
    expect(tally(answers)[200]).toBe(1)
    expect(await enabledAdmins()).toBe(1)
    last = (await last.ask('GET', '/org/tenants')).status === 200 ? last : other
  })

  test('every kind of attack at once leaves one', async () => {
    const other = await second()
    const attacks = [strip, erase, disable]
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, index) => {
        const attack = attacks[index % 3] ?? strip
        return index % 2 === 0 ? last.ask(...attack(other.userId)) : other.ask(...attack(last.userId))
      }),
    )
    for (const { status } of answers) expect([200, 400, 401, 403, 404]).toContain(status)
    expect(await enabledAdmins()).toBe(1)
    last = (await last.ask('GET', '/org/tenants')).status === 200 ? last : other
    expect((await last.ask('GET', '/org/tenants')).status).toBe(200)
  })
})

describe('refused attempts', () => {
  test('leave no record', async () => {
    const root = await platformAdmin()
    const caller = await newUser(builtInTenant.id)
    const role = systemRoleId('platform-admin')
    const records = await countAuditRecords(builtInTenant.id)
    expect((await caller.delete(`/rbac/users/${root.userId}/roles/${role}`)).status).toBe(403)
    expect((await root.delete(`/users/${root.userId}`)).status).toBe(400)
    expect(await countAuditRecords(builtInTenant.id)).toBe(records)
  })
})
