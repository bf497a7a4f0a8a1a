import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import {
  builtIn,
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
} from '../../../test/factories.ts'
import { asOwner } from '../../../test/audit-chain.ts'
import { analyzed } from '../../../test/audit-counts.ts'
import { call, clock, parts } from '../../../test/harness.ts'
import { inTenant } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { systemCtx } from '../../parts.ts'
import { listAuditLogs } from './audit.service.ts'

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

test('a record says who did what to which resource, what changed, from where and in which request', async () => {
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

test('a change records the fields that changed, with what they were and what they became', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  await rename(admin, 'Grace')
  const [log] = await logs(admin, '?action=user.update')
  expect(log?.detail).toEqual({ nickname: { from: 'Ada', to: 'Grace' } })
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

test('a change of tenants or global settings is recorded in the built-in tenant, whatever tenant is in scope', async () => {
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

test('what fails, changes nothing, reads, refreshes or marks read leaves no record', async () => {
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

test('a password, hash or token never stands in a record', async () => {
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
  expect(await of('?action=user')).toEqual([])
  expect(await of('?resource=USER')).toEqual([])
  expect(await of("?action=' or 1=1 --")).toEqual([])
  expect((await admin.get('/audit/logs?user_id=999999999')).data).toEqual({ items: [], total: 0, page: 1 })
})

test('records come newest first, 20 a page unless told otherwise, with the true total on every page', async () => {
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
  'page=',
  'page_size=0',
  'page_size=201',
  'page_size=1e2',
  'user_id=x',
  'user_id=1.0',
  'user_id=9007199254740992',
  'action=%00',
  'from=yesterday',
  'to=2026-01-01',
])('a query outside its limits is 400 and names its field: %s', async (query) => {
  const { admin } = await newTenant()
  const { status, body } = await admin.get(`/audit/logs?${query}`)
  expect([status, Math.floor(body.code / 100)]).toEqual([400, 400])
})

test('the audit log needs audit:read', async () => {
  const tenant = await newTenant()
  const auditor = await tenant.userWith('audit:read')
  const [log] = await logs(auditor)
  expect((await auditor.get(`/audit/logs/${log?.id}`)).status).toBe(200)
  const other = await tenant.userWith('user:read')
  expect((await other.get('/audit/logs')).status).toBe(403)
  expect((await other.get(`/audit/logs/${log?.id}`)).status).toBe(403)
})

test('a record is read by its id as the list has it; one that there is not is 404', async () => {
  const { admin } = await newTenant()
  await rename(admin, 'Ada')
  const [log] = await logs(admin)
  expect((await admin.get(`/audit/logs/${log?.id}`)).data).toEqual(log)
  expect((await admin.get(`/audit/logs/${Number.MAX_SAFE_INTEGER}`)).status).toBe(404)
  expect((await admin.get('/audit/logs/x')).status).toBe(400)
})

test('records of another tenant are not seen', async () => {
  const one = await newTenant()
  const other = await newTenant()
  await rename(other.admin, 'Other')
  const [foreign] = await logs(other.admin)
  expect((await one.admin.get(`/audit/logs/${foreign?.id}`)).status).toBe(404)
  expect((await logs(one.admin, '?page_size=200')).every(({ tenant_id }) => tenant_id === one.id)).toBe(true)
  const auditor = await builtIn.userWith('audit:read')
  expect((await auditor.get('/audit/logs', { tenant: one.id })).status).toBe(403)
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

test('a filtered total stops where more than 100,000 records wait to be sealed, and says so in a header; an unfiltered one is exact', async () => {
  const { id, admin } = await newTenant()
  const write = (count: number, action: string) =>
    parts.store.scoped({ tenantId: id }).run(sql`
      insert into audit_logs
        (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
      select ${id}::uuid, ${action}, 'total', '', '{}', '', '', '', now() from generate_series(1, ${count}::int)`)
  // A statement has four seconds.
  for (let part = 0; part < 5; part += 1) await write(20_000, 'total.one')
  await asOwner(analyzed)
  const before = (await admin.get('/audit/logs?page_size=1')).data.total as number
  const ask = async (query: string) => {
    const { data, headers } = await admin.get(`/audit/logs?page_size=1${query}`)
    return [data.total, headers.get('x-total-capped')]
  }
  expect(await ask('&action=total.one')).toEqual([100_000, null])
  expect(await ask('')).toEqual([before, null])
  await write(2, 'total.one')
  expect(await ask('&action=total.one')).toEqual([100_000, 'true'])
  expect(await ask('&resource=total')).toEqual([100_000, 'true'])
  expect(await ask('&user_id=0')).toEqual([100_000, 'true'])
  expect(await ask('&from=2000-01-01T00:00:00Z')).toEqual([100_000, 'true'])
  expect(await ask('&action=none.such')).toEqual([0, null])
  expect(await ask('')).toEqual([before + 2, null])
  const sealSome = sql`delete from audit_unsealed where id in (select id from audit_unsealed where tenant_id = ${id} order by id limit 5000)`
  await parts.store.transaction({ tenantId: id }, (db) => db.run(sealSome), 'tenantry_seal')
  await write(1, 'total.one')
  expect((await ask('&action=total.one'))[1]).toBeNull()
  expect((await ask('&action=total.one'))[0]).toBe(100_003)
  expect(await ask('&from=2000-01-01T00:00:00Z')).toEqual([before + 3, null])
})

test('page and total are asked for at once, but for an action of another resource, of which there is none', async () => {
  const { id } = await newTenant()
  const ctx = inTenant(systemCtx(parts, 'test'), id)
  const events = async (query: object): Promise<string[]> => {
    const seen: string[] = []
    const watch = async <T>(what: string, answer: Promise<T>): Promise<T> => {
      seen.push(`asked for the ${what}`)
      return answer.finally(() => seen.push(`got the ${what}`))
    }
    const db: Db = {
      ...ctx.db,
      one: (statement) => watch('total', ctx.db.one(statement)),
      many: (statement) => watch('page', ctx.db.many(statement)),
    }
    await listAuditLogs({ ...ctx, db }, { page: 1, page_size: 20, ...query })
    return seen
  }
  for (const query of [{}, { user_id: 1 }, { action: 'user.update', from: '2000-01-01T00:00:00Z' }]) {
    expect((await events(query)).slice(0, 2)).toEqual(['asked for the total', 'asked for the page'])
  }
  expect(await events({ action: 'user.update', resource: 'role' })).toEqual([
    'asked for the total',
    'got the total',
  ])
})
