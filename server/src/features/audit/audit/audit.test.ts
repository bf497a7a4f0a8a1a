import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { asOwner, breachOf, ownerRows, sealRecords, writeMany } from '../../../../test/audit-chain.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { systemCtx } from '../../../start/parts.ts'
import type { Head } from './chain.ts'
import { expireAuditLogs } from './retention.service.ts'
import { countMissed } from '../../delivery/webhooks/missed.service.ts'

const dayMs = 24 * 3_600_000

interface Log {
  id: number
  tenant_id: string
  user_id: number
  action: string
  resource: string
  resource_id: string
  detail: Record<string, { from: unknown; to: unknown }>
  ip: string
  user_agent: string
  trace_id: string
  created_at: string
}

const logs = async (who: Caller, query = ''): Promise<Log[]> =>
  (await who.get(`/audit/logs${query}`)).data.items

const rename = (who: Caller, nickname: string, headers = {}) =>
  who.put(`/users/${who.userId}`, { nickname }, { headers })

test('a record names the user, the action, the resource, the change, the address and the request', async () => {
  const { id, admin } = await newTenant()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'user-agent': 'console/1.0' }
  const { data: role } = await admin.post('/rbac/roles', { name: 'Editors' }, { headers })
  const [log] = await logs(admin, '?action=role.create')
  expect(log).toEqual({
    id: expect.any(Number),
    tenant_id: id,
    user_id: admin.userId,
    action: 'role.create',
    resource: 'role',
    resource_id: String(role.id),
    detail: { name: { from: null, to: 'Editors' }, description: { from: null, to: '' } },
    ip: '127.0.0.1',
    user_agent: 'console/1.0',
    trace_id: traceId,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
})

test('a change records the changed fields with their values before and after', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  await rename(admin, 'Grace')
  const [log] = await logs(admin, '?action=user.update')
  expect(log?.detail).toMatchObject({ nickname: { from: 'Ada', to: 'Grace' } })
})

test('every state-changing request leaves exactly one record', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const user = await tenant.member()
  const { data: role } = await admin.post('/rbac/roles', { name: 'Editors' })
  const { data: sent } = await admin.post('/notifications', { user_id: user.userId, title: 'x' })
  const changes: [string, () => Promise<{ status: number }>][] = [
    ['user.update', () => admin.put(`/users/${user.userId}`, { nickname: 'Ada' })],
    ['role.update', () => admin.put(`/rbac/roles/${role.id}`, { name: 'Authors' })],
    [
      'role.replace_permissions',
      () => admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [15] }),
    ],
    ['role.assign', () => admin.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id })],
    ['role.unassign', () => admin.delete(`/rbac/users/${user.userId}/roles/${role.id}`)],
    ['role.delete', () => admin.delete(`/rbac/roles/${role.id}`)],
    ['setting.create', () => admin.put('/settings/tenant/color', { value: 'red' })],
    ['setting.update', () => admin.put('/settings/tenant/color', { value: 'blue' })],
    ['setting.delete', () => admin.delete('/settings/tenant/color')],
    ['notification.create', () => admin.post('/notifications', { user_id: user.userId, title: 'x' })],
    ['notification.delete', () => admin.delete(`/notifications/${sent.id}`)],
    [
      'auth.password_change',
      () => admin.post('/password', { old_password: password, new_password: password }),
    ],
    ['auth.login', () => call('POST', '/auth/login', { body: { email: user.email, password } })],
    ['user.delete', () => admin.delete(`/users/${user.userId}`)],
  ]
  for (const [action, change] of changes) {
    const [newest] = await logs(admin, '?page_size=1')
    expect([action, (await change()).status]).toEqual([action, 200])
    const since = (await logs(admin)).filter(({ id }) => id > (newest?.id ?? 0))
    expect(since.map((log) => log.action)).toEqual([action])
  }
})

test('a change of tenants or global settings is recorded in the built-in tenant, with any tenant in scope', async () => {
  const root = await platformAdmin()
  const { id, slug, admin } = await newTenant()
  const key = unique('key')
  await root.put(`/org/tenants/${id}`, { name: 'Renamed' }, { tenant: id })
  await root.put(`/settings/global/${key}`, { value: 1 }, { tenant: id })
  const recorded = (await logs(root, '?page_size=2')).map(({ action, resource_id }) => [action, resource_id])
  expect(recorded).toEqual([
    ['setting.create', key],
    ['tenant.update', id],
  ])
  const actions = (await logs(admin)).map(({ action }) => action)
  expect(actions).not.toContain('tenant.update')
  expect(actions).not.toContain('setting.create')
  await root.delete(`/org/tenants/${id}`)
  const [deleted] = await logs(root, '?action=tenant.delete&page_size=1')
  expect([deleted?.resource_id, deleted?.detail['slug']]).toEqual([id, { from: slug, to: null }])
})

test('failed requests, requests without a change, reads, refreshes and marking as read leave no record', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  const before = (await admin.get('/audit/logs')).data.total
  await rename(admin, 'Ada')
  await admin.put(`/users/${admin.userId}`, {})
  await admin.post('/rbac/roles', { name: 'viewer' })
  await admin.put('/rbac/roles/999999', { name: 'x' })
  await admin.delete(`/users/${admin.userId}`)
  await admin.get('/users')
  await admin.put('/notifications/read-all')
  await call('POST', '/auth/refresh', { body: { refresh_token: admin.refreshToken } })
  expect((await admin.get('/audit/logs')).data.total).toBe(before)
})

test('a failed login on a known account, a wrong old password and a reused refresh token are recorded', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const user = await tenant.member()
  await call('POST', '/auth/login', { body: { email: user.email, password: 'wrong password' } })
  await user.post('/password', { old_password: 'wrong password', new_password: password })
  const second = await call('POST', '/auth/refresh', { body: { refresh_token: user.refreshToken } })
  await call('POST', '/auth/refresh', { body: { refresh_token: second.data.refresh_token } })
  await call('POST', '/auth/refresh', { body: { refresh_token: user.refreshToken } })
  const recorded = (await logs(admin, `?user_id=${user.userId}&page_size=3`)).map(({ action }) => action)
  expect(recorded).toEqual(['auth.refresh_reused', 'auth.password_failed', 'auth.login_failed'])
  await admin.put(`/users/${user.userId}`, { status: 0 })
  await call('POST', '/auth/login', { body: { email: user.email, password } })
  const [log] = await logs(admin, '?action=auth.login_failed&page_size=1')
  expect([log?.user_id, log?.resource_id]).toEqual([user.userId, String(user.userId)])
})

test('a record never contains a password, hash or token', async () => {
  const { admin } = await newTenant()
  const secret = 'a very secret password'
  await admin.post('/users', { email: `${unique()}@example.com`, username: unique(), password: secret })
  await admin.post('/password', { old_password: password, new_password: secret })
  const { body } = await admin.get('/audit/logs?page_size=200')
  expect(JSON.stringify(body)).not.toMatch(/a very secret password|\$2b\$|eyJ/)
})

test('records are filtered by user, action and resource, each whole, and all together', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const user = await tenant.member()
  await rename(admin, 'Ada')
  const of = async (query: string) =>
    (await logs(admin, query)).map(({ action, user_id }) => [action, user_id])
  expect(await of('?resource=user&action=user.update')).toEqual([['user.update', admin.userId]])
  expect(await of(`?user_id=${user.userId}`)).toEqual([['auth.login', user.userId]])
  expect(await of(`?user_id=${user.userId}&action=user.update`)).toEqual([])
  expect(await of(`?user_id=${admin.userId}&resource=user`)).toEqual([['user.update', admin.userId]])
  expect(await of(`?user_id=${admin.userId}&resource=use`)).toEqual([])
  expect(await of(`?user_id=${admin.userId}&resource=user.update`)).toEqual([])
  expect(await of('?resource=user.update')).toEqual([])
  expect(await of('?action=user')).toEqual([])
  expect(await of('?resource=USER')).toEqual([])
  expect(await of("?action=' or 1=1 --")).toEqual([])
  expect((await admin.get('/audit/logs?user_id=999999999')).data).toEqual({ items: [], total: 0, page: 1 })
})

test('records come newest first, 20 a page by default, with the exact total on every page', async () => {
  const { admin } = await newTenant()
  for (let index = 0; index < 23; index += 1) await rename(admin, `name ${index}`)
  const page = async (query: string) => (await admin.get(`/audit/logs?action=user.update${query}`)).data
  const first = await page('')
  const names = (items: Log[]) => items.map(({ detail }) => detail['nickname']?.to)
  expect([first.total, first.page, first.items.length]).toEqual([23, 1, 20])
  expect(names(first.items).slice(0, 2)).toEqual(['name 22', 'name 21'])
  const second = await page('&page=2')
  expect(names(second.items)).toEqual(['name 2', 'name 1', 'name 0'])
  expect(await page('&page=99')).toEqual({ items: [], total: 23, page: 99 })
  expect((await page('&page_size=200')).items).toHaveLength(23)
  expect(names((await page('&page=23&page_size=1')).items)).toEqual(['name 0'])
})

test('records are found between two moments: from the first one on, and before the second', async () => {
  const { admin } = await newTenant()
  for (const name of ['one', 'two', 'three']) {
    await rename(admin, name)
    clock.advance(60_000)
  }
  const of = async (query: string) => {
    const { items, total } = ok(await admin.get(`/audit/logs?action=user.update${query}`))
    return [(items as Log[]).map(({ detail }) => detail['nickname']?.to), total]
  }
  const [third = '', second = '', first = ''] = (await logs(admin, '?action=user.update')).map(
    ({ created_at }) => created_at,
  )
  expect(await of(`&from=${second}`)).toEqual([['three', 'two'], 2])
  expect(await of(`&to=${third}`)).toEqual([['two', 'one'], 2])
  expect(await of(`&from=${second}&to=${third}`)).toEqual([['two'], 1])
  expect(await of(`&from=${first}&page=2&page_size=1`)).toEqual([['two'], 3])
  expect(await of(`&from=${first}&user_id=999999999`)).toEqual([[], 0])
  expect(await of(`&from=${third}&to=${first}`)).toEqual([[], 0])
})

test.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=x',
  'page_size=0',
  'page_size=201',
  'page_size=1e2',
  'user_id=x',
  'before_id=0',
  'before_id=-1',
  'before_id=x',
  'before_id=9007199254740992',
  'user_id=1.0',
  'user_id=9007199254740992',
  'action=%00',
  'from=yesterday',
  'to=2026-01-01',
  'from=0000-01-01T00:00:00Z',
])('a query outside its limits is 400 and names its field: %s', async (query) => {
  const { admin } = await newTenant()
  const { status, body } = await admin.get(`/audit/logs?${query}`)
  expect([status, Math.floor(body.code / 100)]).toEqual([400, 400])
})

test('a moment may have any offset from UTC', async () => {
  const { admin } = await newTenant()
  const { total } = ok(await admin.get('/audit/logs'))
  expect(ok(await admin.get('/audit/logs?from=2000-01-01T00:00:00%2B20:00')).total).toBe(total)
})

test('a record read by its id is the same as in the list; an unknown id is 404', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  const [log] = await logs(admin)
  expect((await admin.get(`/audit/logs/${log?.id}`)).data).toEqual(log)
  expect((await admin.get(`/audit/logs/${Number.MAX_SAFE_INTEGER}`)).status).toBe(404)
  expect((await admin.get('/audit/logs/x')).status).toBe(400)
})

test('no method of the audit log changes or deletes a record', async () => {
  const { admin } = await newTenant()
  const before = await admin.get('/audit/logs')
  const [{ id }] = before.data.items
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const options = { token: admin.token, tenant: admin.tenantId }
    expect((await call(method, '/audit/logs', options)).status).toBe(405)
    expect((await call(method, `/audit/logs/${id}`, options)).status).toBe(405)
  }
  expect((await admin.get('/audit/logs')).data).toEqual(before.data)
})

test('a user agent of any length is recorded by its first 512 characters', async () => {
  const { admin } = await newTenant()
  expect((await rename(admin, 'Ada', { 'user-agent': 'x'.repeat(4000) })).status).toBe(200)
  const [log] = await logs(admin, '?page_size=1')
  expect([log?.action, log?.user_agent]).toEqual(['user.update', 'x'.repeat(512)])
})

describe('the total', () => {
  const write = (tenantId: string, count: number, action: string) => writeMany(tenantId, count, { action })

  test('the total of a filter stops at 10,000 and says so in a header; that of the log is exact', async () => {
    const { id, admin } = await newTenant()
    await sealRecords(id)
    const before = (await admin.get('/audit/logs')).data.total as number
    await write(id, 10_000, 'total.one')
    const ask = async (query: string) => {
      const { data, headers } = await admin.get(`/audit/logs?page_size=1${query}`)
      return [data.total, headers.get('x-total-capped')]
    }
    expect(await ask('&action=total.one')).toEqual([10_000, null])
    expect(await ask('')).toEqual([before + 10_000, null])
    await write(id, 2, 'total.one')
    for (const filter of ['action=total.one', 'resource=total', 'user_id=0', 'from=2000-01-01T00:00:00Z']) {
      expect([filter, ...(await ask(`&${filter}`))]).toEqual([filter, 10_000, 'true'])
    }
    expect(await ask('&action=none.such')).toEqual([0, null])
    expect(await ask('')).toEqual([before + 10_002, null])
    await sealRecords(id)
    expect(await ask('')).toEqual([before + 10_002, null])
    expect(await ask('&before_id=1')).toEqual([before + 10_002, null])
  })

  test('follows the expiry of records', async () => {
    const { id, admin } = await newTenant()
    await asOwner(sql`update audit_logs set created_at = now() - interval '60 days' where tenant_id = ${id}`)
    await sealRecords(id)
    await admin.put('/settings/tenant/audit.retention_days', { value: 30 })
    await sealRecords(id)
    await expireAuditLogs(systemCtx(parts, 'maintenance'), countMissed)
    const { items, total } = (await admin.get('/audit/logs')).data
    expect([total, items.map((log: Log) => log.action)]).toEqual([2, ['audit.expire', 'setting.create']])
  })

  test('is counted when the head of the chain is gone or unreadable', async () => {
    const { id, admin } = await newTenant()
    await sealRecords(id)
    const { total } = (await admin.get('/audit/logs')).data
    await asOwner(sql`update audit_heads set statement = 'a.b.c' where tenant_id = ${id}`)
    expect((await admin.get('/audit/logs')).data.total).toBe(total)
    await asOwner(sql`delete from audit_heads where tenant_id = ${id}`)
    expect((await admin.get('/audit/logs')).data.total).toBe(total)
    expect(await breachOf(id)).toBe('the head is missing')
  })

  test('cannot be changed in the head of the chain without breaking it', async () => {
    const { id, admin } = await newTenant()
    await sealRecords(id)
    const { total } = (await admin.get('/audit/logs')).data
    const [row] = await ownerRows<{ statement: string }>(
      sql`select statement from audit_heads where tenant_id = ${id}`,
    )
    const [head = '', payload = '', signature = ''] = row?.statement.split('.') ?? []
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Head
    claims.end.position -= 1
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
    await asOwner(sql`update audit_heads set statement = ${forged} where tenant_id = ${id}`)
    expect((await admin.get('/audit/logs')).data.total).toBe(total - 1)
    expect(await breachOf(id)).toBe('the head is forged')
  })
})

describe('before_id', () => {
  test('reads on from a record, with any filter, and leaves the total as it is', async () => {
    const { id, admin } = await newTenant()
    await writeMany(id, 30, { action: 'one.write' })
    await writeMany(id, 30, { action: 'two.write', userId: 7 })
    for (const filter of [
      '',
      '&action=one.write',
      '&resource=two',
      '&user_id=7',
      '&from=2000-01-01T00:00:00Z',
    ]) {
      const all = ok(await admin.get(`/audit/logs?page_size=200${filter}`))
      const read: Log[] = []
      for (let before = ''; ;) {
        const page = ok(await admin.get(`/audit/logs?page_size=7${filter}${before}`))
        expect([page.total, page.page]).toEqual([all.total, 1])
        if (page.items.length === 0) break
        read.push(...page.items)
        before = `&before_id=${page.items.at(-1).id}`
      }
      expect(read).toEqual(all.items)
    }
  })

  test('counts pages from there', async () => {
    const { admin } = await newTenant()
    for (let index = 0; index < 10; index += 1) await rename(admin, `name ${index}`)
    const all = await logs(admin)
    const start = all[2]?.id
    expect(await logs(admin, `?before_id=${start}&page=2&page_size=3`)).toEqual(all.slice(6, 9))
    expect(await logs(admin, '?before_id=1')).toEqual([])
    expect(await logs(admin, `?before_id=${Number.MAX_SAFE_INTEGER}`)).toEqual(all)
  })
})

test('an action belongs to one resource: with another resource no record is found', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  const of = async (query: string) =>
    (await admin.get(`/audit/logs?action=user.update&resource=${query}`)).data
  expect((await of('user')).total).toBe(1)
  for (const resource of ['role', 'user.update', 'use', 'User']) {
    expect(await of(resource)).toEqual({ items: [], total: 0, page: 1 })
  }
  const { text } = await admin.get('/audit/export?action=user.update&resource=role')
  expect(text).toBe('')
})

describe('records between two moments', () => {
  /** Records of ten batches, hours apart. A clock that is 20 hours late dates every third batch. */
  let tenant: Tenant
  const times: string[] = []
  beforeAll(async () => {
    tenant = await newTenant()
    const first = clock.now().getTime() - 40 * dayMs
    await asOwner(sql`update audit_logs set created_at = ${new Date(first)} where tenant_id = ${tenant.id}`)
    for (let batch = 0; batch < 30; batch += 1) {
      const behind = batch % 3 === 2 ? 20 : 0
      const at = new Date(first + (7 * batch - behind) * 3_600_000)
      times.push(at.toISOString())
      await writeMany(tenant.id, 40, {
        action: batch % 2 === 0 ? 'even.write' : 'odd.write',
        at,
        userId: batch % 5,
      })
    }
  })

  const filters = [
    '',
    '&action=even.write',
    '&user_id=3',
    '&user_id=3&action=odd.write',
    '&resource=odd',
    '&action=even.write,odd.write',
    '&search=EVEN.w',
  ]

  test.each(filters)(
    'are listed and exported exactly, in whatever order they were written: %s',
    async (filter) => {
      const all = ok(await tenant.admin.get(`/audit/logs?page_size=200${filter}`))
      const found: Log[] = [...all.items]
      for (let page = 2; found.length < all.total; page += 1) {
        found.push(...(await logs(tenant.admin, `?page_size=200&page=${page}${filter}`)))
      }
      for (const [from, to] of [
        [0, 29],
        [3, 10],
        [14, 14],
        [8, 12],
        [20, 29],
        [27, 2],
      ] as const) {
        const [start = '', end = ''] = [times[from], times[to]]
        const range = `&from=${start}&to=${end}${filter}`
        const wanted = found.filter((log) => log.created_at >= start && log.created_at < end)
        const page = ok(await tenant.admin.get(`/audit/logs?page_size=200${range}`))
        expect([range, page.total, page.items]).toEqual([range, wanted.length, wanted.slice(0, 200)])
        const last = await logs(
          tenant.admin,
          `?page_size=10&page=${Math.ceil(wanted.length / 10) || 1}${range}`,
        )
        expect(last).toEqual(wanted.slice(-(wanted.length % 10 || 10)))
        const { text } = await tenant.admin.get(`/audit/export?format=ndjson${range}`)
        const ids = text
          .split('\n')
          .filter(Boolean)
          .map((line) => (JSON.parse(line) as Log).id)
        expect(ids).toEqual(wanted.map(({ id }) => id).toReversed())
      }
    },
  )
})

describe('records by a part of their text, their address or several actions', () => {
  const find = async (tenant: Tenant, query: string) =>
    (await logs(tenant.admin, `?${query}`)).map(({ id }) => id)

  test('are found in names, ids, browsers and trace ids, without case, with other filters', async () => {
    const tenant = await newTenant()
    const name = unique('Needle_')
    const role = ok(await tenant.admin.post('/rbac/roles', { name }))
    ok(await tenant.admin.put(`/rbac/roles/${role.id}`, { description: `the ${name}` }))
    const [edited = {} as Log, created = {} as Log] = await logs(tenant.admin, '?resource=role')
    expect(await find(tenant, `search=${name.toLowerCase()}`)).toEqual([edited.id, created.id])
    expect(await find(tenant, `search=${name}&action=role.create`)).toEqual([created.id])
    expect(await find(tenant, `search=${edited.trace_id}`)).toEqual([edited.id])
    expect(await find(tenant, `search=${name.replace('_', 'x')}`)).toEqual([])
    const all = await find(tenant, 'page_size=200')
    expect(await find(tenant, 'ip=127.0.0.1&page_size=200')).toEqual(all)
    expect(await find(tenant, 'ip=192.0.2.77')).toEqual([])
    expect(await find(tenant, `search=${name}&before_id=${edited.id}`)).toEqual([created.id])
    const file = await tenant.admin.get(`/audit/export?search=${name}&format=ndjson`)
    expect(file.text.trim().split('\n')).toHaveLength(2)
  })

  test('records of several actions are in one order, without those of another resource', async () => {
    const tenant = await newTenant()
    await tenant.member()
    const role = await tenant.role()
    ok(await tenant.admin.delete(`/rbac/roles/${role.id}`))
    const found = await logs(tenant.admin, '?page_size=3&action=role.create,role.delete,user.create')
    expect(found.map(({ action }) => action)).toEqual(['role.delete', 'role.create', 'user.create'])
    expect(
      (await tenant.admin.get('/audit/logs?action=role.create,user.create&resource=role')).data.total,
    ).toBe(1)
    const ofRole = `resource_id=${role.id}&action=role.create,role.delete`
    expect(await find(tenant, ofRole)).toHaveLength(2)
    const mixed = await tenant.admin.get(`/audit/logs?resource_id=${role.id}&action=role.create,user.create`)
    expect(mixed.status).toBe(400)
    const many = Array.from({ length: 21 }, (_, index) => `a.b${index}`).join(',')
    expect((await tenant.admin.get(`/audit/logs?action=${many}`)).status).toBe(400)
  })
})
