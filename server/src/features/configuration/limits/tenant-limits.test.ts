/** The limits of a tenant, at every way that raises a number. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { newDirectory } from '../../../../test/directories.ts'
import { openBrowser } from '../../../../test/browser.ts'
import {
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts, startApp, type Running } from '../../../../test/harness.ts'
import { accept, inviteShown } from '../../../../test/people.ts'
import { attemptsOf, goThrough, newConnection, personAt } from '../../../../test/sso.ts'
import { errorCodes } from '../../../errors/app-error.ts'
import { naming } from '../../audit/audit/audit.service.ts'
import type { Limits } from './limits.schemas.ts'

const path = '/settings/tenant/tenantry.limits'

let root: Caller
let replica: Running

beforeAll(async () => {
  root = await platformAdmin()
  replica = await startApp()
})
afterAll(() => replica.app.close())

const limit = async ({ id }: Pick<Tenant, 'id'>, value: Limits): Promise<void> =>
  ok(await root.put(path, { value }, { tenant: id }))

const usageOf = async ({ admin }: Pick<Tenant, 'admin'>) => ok(await admin.get('/org/usage'))

const account = (fields: object = {}) => ({
  email: `${unique('l')}@example.com`,
  username: unique('l'),
  password,
  ...fields,
})

const invited = () => ({ email: `${unique('l')}@example.com` })

const reached = (name: string, max: number) => ({
  status: 403,
  body: { code: errorCodes.limitReached, data: { name, limit: max, used: max } },
})

describe('the limit of', () => {
  test('users refuses one more, with the numbers for callers that may read them', async () => {
    const tenant = await newTenant()
    const creator = await tenant.userWith('user:create')
    await limit(tenant, { users: 3 })
    ok(await tenant.admin.post('/users', account()))
    expect(await tenant.admin.post('/users', account())).toMatchObject(reached('users', 3))
    expect((await creator.post('/users', account())).status).toBe(403)
    expect(await root.post('/users', account(), { tenant: tenant.id })).toMatchObject(reached('users', 3))
    ok(await tenant.admin.post('/users', account({ status: 0 })))
    expect((await usageOf(tenant)).users).toEqual({ used: 3, limit: 3 })
  })

  test('users tells no number to a caller without user:read', async () => {
    const tenant = await newTenant()
    const inviter = await tenant.userWith('user:create')
    await limit(tenant, { pending_invitations: 0 })
    expect(await inviter.post('/invitations', invited())).toMatchObject(refusal('limitReached'))
  })

  test.each<[keyof Limits, string, () => object]>([
    ['pending_invitations', '/invitations', invited],
    ['service_accounts', '/service-accounts', () => ({ name: unique() })],
    ['roles', '/rbac/roles', () => ({ name: unique() })],
    ['webhooks', '/webhooks', () => ({ url: 'http://127.0.0.1:9/hook', events: ['user.create'] })],
  ])('%s refuses one more', async (name, door, body) => {
    const tenant = await newTenant()
    const before = (await usageOf(tenant))[name].used
    await limit(tenant, { [name]: before + 1 })
    const first = ok(await tenant.admin.post(door, body()))
    expect(await tenant.admin.post(door, body())).toMatchObject(reached(name, before + 1))
    ok(await tenant.admin.delete(`${door}/${first.id}`))
    ok(await tenant.admin.post(door, body()))
  })

  test('connections refuses one more', async () => {
    const tenant = await newTenant()
    await limit(tenant, { connections: 1 })
    await newConnection(tenant)
    await expect(newConnection(tenant)).rejects.toThrow(String(errorCodes.limitReached))
    expect((await usageOf(tenant)).connections).toEqual({ used: 1, limit: 1 })
  })

  test('users counts neither disabled users nor break-glass users, and enabling asks it', async () => {
    const tenant = await newTenant()
    const [one, other] = [await tenant.member(), await tenant.member()]
    await limit(tenant, { users: 2 })
    expect(await tenant.admin.post('/users', account())).toMatchObject({ status: 403 })
    ok(await tenant.admin.put(`/users/${one.userId}`, { status: 0 }))
    expect(await tenant.admin.put(`/users/${one.userId}`, { status: 1 })).toMatchObject(reached('users', 2))
    const both = { user_ids: [one.userId, other.userId], status: 1 }
    expect(ok(await tenant.admin.post('/users/status', both)).results).toMatchObject([
      { status: 'refused', error: { code: errorCodes.limitReached } },
      { status: 'unchanged' },
    ])
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into sso_exemptions (tenant_id, user_id, account_id, created_at)
      select tenant_id, id, account_id, now() from users where tenant_id = ${tenant.id} and id = ${other.userId}`)
    ok(await tenant.admin.put(`/users/${one.userId}`, { status: 1 }))
    expect((await usageOf(tenant)).users).toEqual({ used: 2, limit: 2 })
    const exempt = { exempt: false }
    expect(await tenant.admin.put(`/users/${other.userId}/sso-exemption`, exempt)).toMatchObject(
      reached('users', 2),
    )
  })

  test('users lets as many users be enabled at once as fit', async () => {
    const tenant = await newTenant()
    const ids = [await tenant.member(), await tenant.member(), await tenant.member()].map((one) => one.userId)
    ok(await tenant.admin.post('/users/status', { user_ids: ids, status: 0 }))
    await limit(tenant, { users: 3 })
    const { results } = ok(await tenant.admin.post('/users/status', { user_ids: ids, status: 1 }))
    expect(results.map((one: { status: string }) => one.status)).toEqual(['changed', 'changed', 'refused'])
  })

  test('users leaves an invitation unspent, which a higher limit lets in', async () => {
    const tenant = await newTenant()
    const token = await inviteShown(tenant.admin)
    await limit(tenant, { users: 1 })
    expect(await accept(token, { password })).toMatchObject(refusal('limitReached'))
    await limit(tenant, { users: 2 })
    ok(await accept(token, { password }))
    expect((await usageOf(tenant)).pending_invitations.used).toBe(0)
  })

  test('pending invitations refuses to send an expired one again beside another', async () => {
    const tenant = await newTenant()
    await limit(tenant, { pending_invitations: 1 })
    const { id } = ok(await tenant.admin.post('/invitations', invited()))
    ok(await tenant.admin.post(`/invitations/${id}/resend`))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update invitations set expires_at = now() - interval '1 minute' where tenant_id = ${tenant.id} and id = ${id}`)
    ok(await tenant.admin.post('/invitations', invited()))
    expect(await tenant.admin.post(`/invitations/${id}/resend`)).toMatchObject(
      reached('pending_invitations', 1),
    )
    expect((await usageOf(tenant)).pending_invitations.used).toBe(1)
  })

  test('users refuses the rows of an import that do not fit', async () => {
    const tenant = await newTenant()
    await limit(tenant, { users: 2 })
    const row = (fields: object = {}) => ({ email: `${unique('l')}@example.com`, ...fields })
    const rows = [row(), row({ status: 0 }), row(), row({ status: 0 })]
    const { results } = ok(await tenant.admin.post('/users/import', { rows }))
    expect(results).toMatchObject([
      { status: 'created' },
      { status: 'created' },
      { status: 'refused', error: { code: errorCodes.limitReached } },
      { status: 'created' },
    ])
  })

  test('users refuses a push of a directory with a detail, and takes inactive users', async () => {
    const directory = await newDirectory()
    const { tenant, domain } = directory
    await limit(tenant, { users: 2 })
    const { id } = await directory.push()
    const userName = `${unique('u')}@${domain}`
    expect(await directory.send('POST', '/Users', { userName })).toMatchObject({
      status: 403,
      body: { status: '403', detail: expect.stringContaining('as many users as its limit allows') },
    })
    const inactive = await directory.push({ active: false })
    const activate = [`/Users/${inactive.id}`, { op: 'replace', path: 'active', value: true }] as const
    expect((await directory.patch(...activate)).status).toBe(403)
    expect(
      (await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status,
    ).toBe(200)
    expect((await directory.patch(...activate)).status).toBe(200)
    expect((await usageOf(tenant)).users).toEqual({ used: 2, limit: 2 })
  })

  test('users refuses a sign-in by a connection that would create a user, and tells administrators why', async () => {
    const tenant = await newTenant()
    const connection = await newConnection(tenant)
    await limit(tenant, { users: 2 })
    const known = personAt(connection)
    expect((await goThrough(openBrowser(), connection, known)).status).toBe(303)
    expect(await goThrough(openBrowser(), connection, personAt(connection))).toMatchObject({ status: 403 })
    expect((await attemptsOf(tenant, connection))[0]).toMatchObject({
      outcome: 'refused',
      reason: 'limit_reached',
      number: 210,
    })
    expect((await goThrough(openBrowser(), connection, known)).status).toBe(303)
    expect((await usageOf(tenant)).users.used).toBe(2)
  })

  test('pending invitations refuses a tenant with an invited administrator', async () => {
    ok(await root.put('/settings/global/tenantry.limits', { value: { pending_invitations: 0 } }))
    const body = { name: 'New', slug: unique('t'), admin_email: `${unique('l')}@example.com` }
    const refused = await root.post('/org/tenants', body)
    ok(await root.delete('/settings/global/tenantry.limits'))
    expect(refused).toMatchObject(reached('pending_invitations', 0))
    ok(await root.post('/org/tenants', body))
  })
})

test('ten creations at once at the last seat, at two instances, make one user', async () => {
  const tenant = await newTenant()
  const token = await inviteShown(tenant.admin)
  await limit(tenant, { users: 2 })
  const creations = Array.from({ length: 10 }, (_, index) =>
    tenant.admin.post('/users', account(), index % 2 === 0 ? {} : { at: replica }),
  )
  const answers = await Promise.all([...creations, accept(token, { password })])
  expect(tally(answers)).toEqual({ 200: 1, 403: 10 })
  expect((await usageOf(tenant)).users).toEqual({ used: 2, limit: 2 })
})

test('ten roles, webhooks and invitations at once at the last place make one of each', async () => {
  const tenant = await newTenant()
  const { roles } = await usageOf(tenant)
  await limit(tenant, { roles: roles.used + 1, pending_invitations: 1, webhooks: 1 })
  const tenTimes = (door: string, body: () => object) =>
    Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.admin.post(door, body(), index % 2 === 0 ? {} : { at: replica }),
      ),
    )
  const hook = () => ({ url: 'http://127.0.0.1:9/hook', events: ['user.create'] })
  const all = await Promise.all([
    tenTimes('/rbac/roles', () => ({ name: unique() })),
    tenTimes('/invitations', invited),
    tenTimes('/webhooks', hook),
  ])
  expect(all.map(tally)).toEqual([
    { 200: 1, 403: 9 },
    { 200: 1, 403: 9 },
    { 200: 1, 403: 9 },
  ])
})

describe('the setting', () => {
  test('is read by the administrators of a tenant, and neither written, deleted nor reverted', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const key = await keyWith(tenant.id, ['setting:read', 'setting:update', 'setting:delete'])
    const forbidden = refusal('permissionMissing')
    for (const caller of [admin, key]) {
      expect(await caller.put(path, { value: { users: 900 } })).toMatchObject(forbidden)
    }
    await limit(tenant, { users: 900 })
    await limit(tenant, { users: 5 })
    for (const caller of [admin, key]) {
      expect(await caller.put(path, { value: { users: 900 } })).toMatchObject(forbidden)
      expect(await caller.put(path, { value: { users: 5 } })).toMatchObject(forbidden)
      expect(await caller.delete(path)).toMatchObject(forbidden)
      expect(await caller.post(`${path}/revert`, { version: 1 })).toMatchObject(forbidden)
    }
    expect(ok(await admin.get(path)).value).toEqual({ users: 5 })
    expect(ok(await admin.get(`${path}/history`)).items).toHaveLength(2)
    ok(await root.post(`${path}/revert`, { version: 1 }, { tenant: tenant.id }))
    ok(await root.delete(path, { tenant: tenant.id }))
    expect(await admin.post(`${path}/revert`, { version: 1 })).toMatchObject(forbidden)
  })

  test('takes no other name, text or negative number, and belongs to no user', async () => {
    const { id } = await newTenant()
    const write = (value: unknown) => root.put(path, { value }, { tenant: id })
    expect(await write({ users: -1 })).toMatchObject(refusalOf('value/users'))
    expect(await write({ users: 1_000_000_001 })).toMatchObject(refusalOf('value/users'))
    expect(await write({ users: '9' })).toMatchObject(refusalOf('value/users'))
    expect((await write({ seats: 1 })).status).toBe(400)
    expect((await root.put('/settings/user/tenantry.limits', { value: {} })).status).toBe(400)
  })

  test('counts for every tenant, name by name, unless the value of the tenant says otherwise', async () => {
    const tenant = await newTenant()
    ok(await root.put('/settings/global/tenantry.limits', { value: { users: 7, roles: 8 } }))
    try {
      expect(await usageOf(tenant)).toMatchObject({ users: { limit: 7 }, roles: { limit: 8 } })
      await limit(tenant, { users: null, webhooks: 1 })
      expect(await usageOf(tenant)).toMatchObject({
        users: { limit: null },
        roles: { limit: 8 },
        webhooks: { limit: 1 },
        connections: { limit: null },
      })
      const { value } = ok(await tenant.admin.get('/settings/effective/tenantry.limits'))
      expect(value).toMatchObject({ users: null, roles: 8, webhooks: 1, connections: null })
    } finally {
      ok(await root.delete('/settings/global/tenantry.limits'))
    }
  })

  test('takes nothing away below the number in use', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    await limit(tenant, { users: 1 })
    ok(await member.get('/profile'))
    ok(await tenant.admin.put(`/users/${member.userId}`, { nickname: 'Still here' }))
    expect((await usageOf(tenant)).users).toEqual({ used: 2, limit: 1 })
  })

  test('lets the platform make platform administrators, who do not count', async () => {
    const { used } = ok(await root.get('/org/usage')).users
    const member = await builtIn.member()
    expect(ok(await root.get('/org/usage')).users.used).toBe(used + 1)
    ok(await root.post(`/rbac/users/${member.userId}/roles`, { role_id: 1 }))
    expect(ok(await root.get('/org/usage')).users.used).toBe(used)
    ok(await root.delete(`/users/${member.userId}`))
  })
})

describe('a notice', () => {
  const noticesOf = async ({ id }: Pick<Tenant, 'id'>) => {
    const records = (await auditRecords(id, 'tenant', id)).toReversed()
    return records.map(({ action, detail }) => [action, detail])
  }
  const near = (used: string) => ['tenant.limit_near', naming({ name: 'users', used, limit: '10' })]
  const full = ['tenant.limit_reached', naming({ name: 'users', used: '10', limit: '10' })]
  const add = async ({ admin }: Tenant, count: number): Promise<void> => {
    for (let made = 0; made < count; made += 1) ok(await admin.post('/users', account()))
  }
  const disable = async (tenant: Tenant, count: number): Promise<number[]> => {
    const { items } = ok(await tenant.admin.get('/users?status=1&sort=-id'))
    const ids = items.slice(0, count).map((one: { id: number }) => one.id)
    ok(await tenant.admin.post('/users/status', { user_ids: ids, status: 0 }))
    return ids
  }

  test('tells administrators once that a limit is near, and once that it is reached', async () => {
    const tenant = await newTenant()
    await limit(tenant, { users: 10 })
    await add(tenant, 9)
    expect(await noticesOf(tenant)).toEqual([near('9'), full])
    const { items } = ok(await tenant.admin.get(`/notifications/user/${tenant.admin.userId}`))
    expect(items.map((one: { title: string; content: string }) => [one.title, one.content])).toEqual([
      ['Your organization has reached a limit', 'Your organization has 10 of 10 users.'],
      ['Your organization is close to a limit', 'Your organization has 9 of 10 users.'],
    ])
  })

  test('comes again only after the number fell below 80 %', async () => {
    const tenant = await newTenant()
    await limit(tenant, { users: 10 })
    await add(tenant, 9)
    await disable(tenant, 2)
    await add(tenant, 2)
    expect(await noticesOf(tenant)).toEqual([near('9'), full])
    const ids = await disable(tenant, 3)
    ok(await tenant.admin.post('/users/status', { user_ids: ids, status: 1 }))
    expect(await noticesOf(tenant)).toEqual([near('9'), full, full])
  })

  test('comes with a lower limit, and not with a refused change', async () => {
    const tenant = await newTenant()
    await add(tenant, 9)
    await limit(tenant, { users: 20 })
    await limit(tenant, { users: 10 })
    expect((await tenant.admin.post('/users', account())).status).toBe(403)
    await limit(tenant, { users: 10, roles: 3 })
    expect(await noticesOf(tenant)).toEqual([full])
  })
})

describe('the usage', () => {
  test('is for callers with user:read in the own tenant, and with tenant:read in others', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    expect((await usageOf(tenant)).users).toEqual({ used: 2, limit: null })
    expect(await member.get('/org/usage')).toMatchObject(refusal('permissionMissing'))
    const reader = await builtIn.userWith('tenant:enter', 'user:read')
    expect(await reader.get('/org/usage', { tenant: tenant.id })).toMatchObject(refusal('permissionMissing'))
    ok(await root.get('/org/usage', { tenant: tenant.id }))
  })

  test('lists all tenants in pages by id, for callers with tenant:read and tenant:enter', async () => {
    const tenant = await newTenant()
    await limit(tenant, { users: 4 })
    expect((await tenant.admin.get('/org/usage/tenants')).status).toBe(403)
    const reader = await builtIn.userWith('tenant:read')
    expect(await reader.get('/org/usage/tenants')).toMatchObject(refusal('permissionMissing'))
    const seen: { tenant_id: string; usage: object }[] = []
    for (let page = 1; ; page += 1) {
      const { items, total } = ok(await root.get(`/org/usage/tenants?page=${page}&page_size=200`))
      seen.push(...items)
      if (seen.length >= total) break
    }
    const ids = seen.map((one) => one.tenant_id)
    expect(ids).toEqual(ids.toSorted())
    expect(seen.find((one) => one.tenant_id === tenant.id)?.usage).toMatchObject({
      users: { used: 1, limit: 4 },
    })
    expect((await call('GET', '/org/usage/tenants')).status).toBe(401)
  })
})
