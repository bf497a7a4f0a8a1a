import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { newTenant, ok, platformAdmin, unique, type Caller, type Tenant } from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'

const send = async (from: Caller, to: Caller, fields: object = {}) => {
  const { data } = await from.post('/notifications', { user_id: to.userId, title: 'Hello', ...fields })
  return data as { id: number; is_read: boolean }
}

const unread = async (who: Caller, options = {}) =>
  (await who.get('/notifications/unread-count', options)).data

test('a notification reaches its recipient, unread, by default of type info and without content', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const plain = await send(tenant.admin, user)
  expect(plain).toEqual({
    id: expect.any(Number),
    tenant_id: tenant.id,
    user_id: user.userId,
    title: 'Hello',
    content: '',
    type: 'info',
    is_read: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect((await user.get(`/notifications/${plain.id}`)).data).toEqual(plain)
  const warning = await send(tenant.admin, user, {
    content: 'Line 1\nLine 2',
    type: 'warning',
    is_read: true,
    id: 1,
  })
  expect(warning).toMatchObject({ content: 'Line 1\nLine 2', type: 'warning', is_read: false })
  expect(await unread(user)).toEqual({ count: 2 })
})

test('a notification has its sender and its resource only with include=sender, alone and in the list', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const { id } = await send(tenant.admin, user)
  const [one, list] = [`/notifications/${id}`, `/notifications/user/${user.userId}`]
  expect(ok(await user.get(one))).not.toHaveProperty('sender')
  expect(ok(await user.get(list)).items[0]).not.toHaveProperty('sender')
  expect(ok(await user.get(`${one}?include=sender`))).toMatchObject({
    id,
    sender: tenant.admin.username,
    about: null,
  })
  expect(ok(await user.get(`${list}?include=sender`)).items).toMatchObject([
    { id, sender: tenant.admin.username },
  ])
  expect((await user.get(`${one}?include=tenant`)).status).toBe(400)
})

test.each(['info', 'success', 'warning', 'error'])('a notification can be of type %s', async (type) => {
  const { admin } = await newTenant()
  expect(await send(admin, admin, { type })).toMatchObject({ type })
})

test('a title has 1 to 200 code points after trimming, a content up to 10,000', async () => {
  const { admin } = await newTenant()
  const status = async (fields: object) =>
    (await admin.post('/notifications', { user_id: admin.userId, title: 'x', ...fields })).status
  expect(await status({ title: '😀'.repeat(200) })).toBe(200)
  expect(await status({ title: '😀'.repeat(201) })).toBe(400)
  expect(await status({ title: ` ${'x'.repeat(200)} ` })).toBe(200)
  expect(await status({ title: '  ' })).toBe(400)
  expect(await status({ content: '😀'.repeat(10_000) })).toBe(200)
  expect(await status({ content: 'x'.repeat(10_001) })).toBe(400)
})

test.each([
  {},
  { title: undefined },
  { title: null },
  { title: 3 },
  { user_id: undefined },
  { user_id: '1' },
  { user_id: 0 },
  { user_id: 1.5 },
  { user_id: 2 ** 53 },
  { content: null },
  { content: 5 },
  { type: 'urgent' },
  { type: null },
  { title: 'a\0b' },
])('a notification with a field missing or of the wrong kind is 400 and names it: %j', async (fields) => {
  const { admin } = await newTenant()
  const isEmpty = Object.keys(fields).length === 0
  const body = isEmpty ? {} : { user_id: admin.userId, title: 'Hello', ...fields }
  const answer = await admin.post('/notifications', body)
  expect([answer.status, await unread(admin)]).toEqual([400, { count: 0 }])
})

test('a recipient of no tenant is 404', async () => {
  const { admin } = await newTenant()
  const { status, body } = await admin.post('/notifications', { user_id: 999_999_999, title: 'x' })
  expect([status, body.code]).toEqual([404, 40403])
  expect((await admin.get('/notifications/user/999999999')).status).toBe(404)
})

test('a recipient reads, marks and deletes their own without any permission', async () => {
  const tenant = await newTenant()
  const user = await tenant.userWith()
  const { id } = await send(tenant.admin, user)
  expect((await user.put(`/notifications/${id}/read`)).body).toMatchObject({ code: 0, data: null })
  expect((await user.get(`/notifications/${id}`)).data.is_read).toBe(true)
  expect((await user.put(`/notifications/${id}/read`)).status).toBe(200)
  expect((await user.get(`/notifications/user/${user.userId}`)).data.total).toBe(1)
  expect((await user.delete(`/notifications/${id}`)).body).toMatchObject({ code: 0, data: null })
  expect((await user.get(`/notifications/${id}`)).status).toBe(404)
  expect((await user.delete(`/notifications/${id}`)).status).toBe(404)
  expect((await user.put(`/notifications/${id}/read`)).status).toBe(404)
})

test('those of others are read with notification:read and deleted with notification:delete, 403 without', async () => {
  const tenant = await newTenant()
  const reader = await tenant.userWith('notification:read')
  const deleter = await tenant.userWith('notification:delete')
  const { id } = await send(tenant.admin, tenant.admin)
  const list = `/notifications/user/${tenant.admin.userId}`
  expect((await reader.get(`/notifications/${id}`)).status).toBe(200)
  expect((await reader.get(list)).status).toBe(200)
  expect((await reader.delete(`/notifications/${id}`)).status).toBe(403)
  expect((await deleter.get(`/notifications/${id}`)).status).toBe(403)
  expect((await deleter.get(list)).status).toBe(403)
  expect((await deleter.delete(`/notifications/${id}`)).status).toBe(200)
})

test('a notification is marked read only by its recipient: others who may delete it get 403', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const { id } = await send(tenant.admin, user)
  const { status, body } = await tenant.admin.put(`/notifications/${id}/read`)
  expect([status, body.code]).toEqual([403, 40308])
  const root = await platformAdmin()
  expect((await root.put(`/notifications/${id}/read`, undefined, { tenant: tenant.id })).status).toBe(403)
  expect(await unread(user)).toEqual({ count: 1 })
})

test('a list is of one user, newest first, 20 a page, with the true total', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  await send(tenant.admin, tenant.admin)
  for (let index = 0; index < 22; index += 1) await send(tenant.admin, user, { title: `number ${index}` })
  const page = async (query: string) => (await user.get(`/notifications/user/${user.userId}${query}`)).data
  const first = await page('')
  expect([first.total, first.page, first.items.length]).toEqual([22, 1, 20])
  expect(first.items[0].title).toBe('number 21')
  expect((await page('?page=2')).items.map(({ title }: { title: string }) => title)).toEqual([
    'number 1',
    'number 0',
  ])
  expect(await page('?page=3')).toEqual({ items: [], total: 22, page: 3 })
  expect((await page('?page_size=200')).items).toHaveLength(22)
})

test('is_read limits a list to the read or to the unread notifications', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const sent = []
  for (const title of ['one', 'two', 'three']) sent.push(await send(tenant.admin, user, { title }))
  await user.put(`/notifications/${sent[1]?.id}/read`)
  const list = async (query: string) => {
    const { items, total } = (await user.get(`/notifications/user/${user.userId}${query}`)).data
    return [total, ...items.map(({ title }: { title: string }) => title)]
  }
  expect(await list('?is_read=false')).toEqual([2, 'three', 'one'])
  expect(await list('?is_read=false&page=2&page_size=1')).toEqual([2, 'one'])
  expect(await list('?is_read=true')).toEqual([1, 'two'])
  expect(await list('')).toEqual([3, 'three', 'two', 'one'])
})

test.each(['page=0', 'page=x', 'page_size=0', 'page_size=201', 'is_read=1', 'is_read=True'])(
  'a list with %s is 400',
  async (query) => {
    const { admin } = await newTenant()
    expect((await admin.get(`/notifications/user/${admin.userId}?${query}`)).status).toBe(400)
  },
)

test.each(['0', '-1', '1.5', 'x', '9007199254740992', '1e3', '%20', '01'])('the id %s is 400', async (id) => {
  const { admin } = await newTenant()
  expect((await admin.get(`/notifications/${id}`)).status).toBe(400)
  expect((await admin.delete(`/notifications/${id}`)).status).toBe(400)
  expect((await admin.put(`/notifications/${id}/read`)).status).toBe(400)
  expect((await admin.get(`/notifications/user/${id}`)).status).toBe(400)
})

test('the largest id there can be is 404', async () => {
  const { admin } = await newTenant()
  expect((await admin.get('/notifications/9007199254740991')).status).toBe(404)
})

test('read-all marks all of the caller, and no one else’s', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  for (const to of [user, user, tenant.admin]) await send(tenant.admin, to)
  expect((await user.put('/notifications/read-all')).body).toMatchObject({ code: 0, data: null })
  expect([await unread(user), await unread(tenant.admin)]).toEqual([{ count: 0 }, { count: 1 }])
  expect((await user.put('/notifications/read-all')).status).toBe(200)
})

test('read-all and unread-count act on the caller, even with another tenant in scope', async () => {
  const root = await platformAdmin()
  const tenant = await newTenant()
  await root.put('/notifications/read-all')
  await send(root, root)
  await send(tenant.admin, tenant.admin)
  expect(await unread(root, { tenant: tenant.id })).toEqual({ count: 1 })
  expect((await root.put('/notifications/read-all', undefined, { tenant: tenant.id })).status).toBe(200)
  expect(await unread(root)).toEqual({ count: 0 })
  expect(await unread(tenant.admin)).toEqual({ count: 1 })
})

test('one’s own notification is 404 while another tenant is in scope', async () => {
  const root = await platformAdmin()
  const tenant = await newTenant()
  const { id } = await send(root, root)
  expect((await root.get(`/notifications/${id}`, { tenant: tenant.id })).status).toBe(404)
})

test('every endpoint asks for the tenant header: 400 without, or with one that is no UUID', async () => {
  const { admin } = await newTenant()
  const { data } = await admin.post('/notifications', { user_id: admin.userId, title: 'x' })
  const requests: [string, string][] = [
    ['POST', '/notifications'],
    ['GET', `/notifications/${data.id}`],
    ['DELETE', `/notifications/${data.id}`],
    ['GET', `/notifications/user/${admin.userId}`],
    ['PUT', `/notifications/${data.id}/read`],
    ['PUT', '/notifications/read-all'],
    ['GET', '/notifications/unread-count'],
  ]
  for (const [method, path] of requests) {
    const without = await call(method, path, { token: admin.token })
    expect([path, without.status, without.body.code]).toEqual([path, 400, 40004])
    const wrong = await call(method, path, { token: admin.token, tenant: 'default' })
    expect([path, wrong.status, wrong.body.code]).toEqual([path, 400, 40005])
  }
})

test('sending and deleting are recorded, reading and marking are not', async () => {
  const { admin } = await newTenant()
  const { id } = await send(admin, admin, { title: `Note ${unique()}` })
  await admin.get(`/notifications/${id}`)
  await admin.put(`/notifications/${id}/read`)
  await admin.put('/notifications/read-all')
  await admin.delete(`/notifications/${id}`)
  const { items } = (await admin.get('/audit/logs?resource=notification')).data
  expect(items.map((log: { action: string; resource_id: string }) => [log.action, log.resource_id])).toEqual([
    ['notification.delete', String(id)],
    ['notification.create', String(id)],
  ])
})

test('the notifications of a deleted user are gone', async () => {
  const tenant = await newTenant()
  const user = await tenant.member()
  const { id } = await send(tenant.admin, user)
  await tenant.admin.delete(`/users/${user.userId}`)
  expect((await tenant.admin.get(`/notifications/${id}`)).status).toBe(404)
  expect((await tenant.admin.get(`/notifications/user/${user.userId}`)).status).toBe(404)
})

describe('the list of notifications', () => {
  let tenant: Tenant
  const sent: number[] = []
  beforeAll(async () => {
    tenant = await newTenant()
    for (let index = 0; index < 9; index += 1) sent.push((await send(tenant.admin, tenant.admin)).id)
    for (const id of sent.slice(0, 3)) await tenant.admin.put(`/notifications/${id}/read`)
  })

  const list = async (query: string) =>
    (await tenant.admin.get(`/notifications/user/${tenant.admin.userId}${query}`)).data

  const ids = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id)

  test('reads on before a notification, with the same total', async () => {
    const newest = sent.toReversed()
    const page = await list(`?page_size=3&before_id=${newest[2]}`)
    expect([page.total, page.page, ids(page)]).toEqual([9, 1, newest.slice(3, 6)])
    expect(ids(await list(`?page_size=3&page=2&before_id=${newest[1]}`))).toEqual(newest.slice(5, 8))
    const unreadOnes = await list(`?is_read=false&page_size=2&before_id=${newest[1]}`)
    expect([unreadOnes.total, ids(unreadOnes)]).toEqual([6, newest.slice(2, 4)])
    expect(ids(await list('?before_id=1'))).toEqual([])
  })

  test.each(['0', '-1', '1.5', 'abc', '9007199254740992'])('refuses the before_id %j', async (value) => {
    const answer = await tenant.admin.get(`/notifications/user/${tenant.admin.userId}?before_id=${value}`)
    expect(answer).toMatchObject(refusalOf('before_id'))
  })

  test('has an exact total, but of the read or unread ones, which stops at 10,000', async () => {
    const user = await tenant.member()
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into notifications (tenant_id, user_id, title, created_at)
      select ${tenant.id}::uuid, ${user.userId}::bigint, 'many', now() from generate_series(1, 10001)
      returning id`)
    const total = async (query: string) => {
      const { data, headers } = await user.get(`/notifications/user/${user.userId}?page_size=1${query}`)
      return [data.total, headers.get('x-total-capped')]
    }
    expect(await total('')).toEqual([10_001, null])
    expect(await total('&is_read=false')).toEqual([10_000, 'true'])
    expect(await total('&is_read=true')).toEqual([0, null])
    expect(await unread(user)).toEqual({ count: 10_001 })
  })
})
