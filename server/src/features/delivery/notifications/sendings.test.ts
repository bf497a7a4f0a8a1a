import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { auditRecords, newTenant, ok, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { sweepSendings } from './sendings.service.ts'

const dayMs = 86_400_000

interface Sending {
  id: number
  sent: number
  total: number
  is_done: boolean
}

const begin = async (from: Caller, fields: object = {}): Promise<Sending> =>
  ok(await from.post('/notifications/broadcasts', { title: 'To all', ...fields }))

const sendBatch = async (from: Caller, { id }: { id: number }): Promise<Sending> =>
  ok(await from.post(`/notifications/broadcasts/${id}/batches`))

const titlesOf = async (who: Caller): Promise<string[]> =>
  ok(await who.get(`/notifications/user/${who.userId}`)).items.map(({ title }: { title: string }) => title)

describe('a broadcast', () => {
  test('reaches everyone in the tenant with the batch, shows its sender, and nobody elsewhere', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const member = await tenant.member()
    const sending = await begin(tenant.admin, { content: 'At noon', type: 'warning' })
    expect(sending).toEqual({
      id: expect.any(Number),
      tenant_id: tenant.id,
      user_id: 0,
      role_id: 0,
      recipient: '',
      title: 'To all',
      content: 'At noon',
      type: 'warning',
      total: 2,
      sent: 0,
      is_done: false,
      created_at: expect.any(String),
    })
    expect(await titlesOf(member)).toEqual([])
    expect(await sendBatch(tenant.admin, sending)).toEqual({ ...sending, sent: 2, is_done: true })
    const [item] = ok(await member.get(`/notifications/user/${member.userId}?include=sender`)).items
    expect(item).toMatchObject({ title: 'To all', content: 'At noon', type: 'warning', is_read: false })
    expect(item.sender).toBe(tenant.admin.username)
    expect(ok(await member.get('/notifications/unread-count'))).toEqual({ count: 1 })
    expect(await titlesOf(other.admin)).toEqual([])
  })

  test('a broadcast to a role reaches only its holders, and needs role:read', async () => {
    const tenant = await newTenant()
    const holder = await tenant.userWith('notification:send')
    const [role] = ok(await tenant.admin.get(`/rbac/users/${holder.userId}/roles`)).filter(
      ({ is_system: isSystem }: { is_system: boolean }) => !isSystem,
    )
    const sending = await begin(tenant.admin, { role_id: role.id })
    expect(sending).toMatchObject({ role_id: role.id, recipient: role.name, total: 1 })
    await sendBatch(tenant.admin, sending)
    expect([await titlesOf(holder), await titlesOf(tenant.admin)]).toEqual([['To all'], []])
    const refused = await holder.post('/notifications/broadcasts', { title: 'x', role_id: role.id })
    expect(refused.status).toBe(403)
    const foreign = await (await newTenant()).role('user:read')
    const unknown = await tenant.admin.post('/notifications/broadcasts', { title: 'x', role_id: foreign.id })
    expect([unknown.status, unknown.body.code]).toEqual([404, 40404])
  })

  test('continues where it stopped, 1,000 users a batch, and leaves out users created after it', async () => {
    const tenant = await newTenant()
    const many = 1500
    await parts.store.transaction({ tenantId: tenant.id }, async (db) => {
      const mark = `m${tenant.slug}-`
      await db.run(sql`
        insert into accounts (email, email_folded, password_hash)
        select e, e, '' from (select ${mark}::text || n || '@example.com' as e from generate_series(1, ${many}::int) n) s`)
      await db.run(sql`
        insert into users
          (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
        select ${tenant.id}::uuid, id, email, email, email, email, now(), now() from accounts
        where email like ${`${mark}%`} returning id`)
    })
    const sending = await begin(tenant.admin)
    expect(sending.total).toBe(many + 1)
    const late = await tenant.member()
    const first = await sendBatch(tenant.admin, sending)
    expect(first).toMatchObject({ sent: 1000, is_done: false })
    const second = await sendBatch(tenant.admin, sending)
    expect(second).toMatchObject({ sent: many + 1, is_done: true })
    const before = ok(await tenant.admin.get('/audit/logs')).total
    expect(await sendBatch(tenant.admin, sending)).toEqual(second)
    expect(ok(await tenant.admin.get('/audit/logs')).total).toBe(before)
    expect([await titlesOf(tenant.admin), await titlesOf(late)]).toEqual([['To all'], []])
    const actions = (await auditRecords(tenant.id, 'broadcast', sending.id)).map(({ action }) => action)
    expect(actions).toEqual(['broadcast.send', 'broadcast.send', 'broadcast.create'])
  })

  test('notifies each user once when two batches are asked for at once', async () => {
    const { admin } = await newTenant()
    const sending = await begin(admin)
    await Promise.all([1, 2, 3].map(() => sendBatch(admin, sending)))
    expect(await titlesOf(admin)).toEqual(['To all'])
  })

  test('is continued only by its sender', async () => {
    const tenant = await newTenant()
    const other = await tenant.userWith('notification:send')
    const sending = await begin(tenant.admin)
    for (const who of [other, (await newTenant()).admin]) {
      const { status, body } = await who.post(`/notifications/broadcasts/${sending.id}/batches`)
      expect([status, body.code]).toEqual([404, 40406])
    }
    expect(await titlesOf(other)).toEqual([])
  })

  test.each([{}, { title: ' ' }, { title: 'x', type: 'urgent' }, { title: 'x', role_id: 0 }])(
    'a broadcast with a missing field or one of the wrong kind is 400: %j',
    async (fields) => {
      const { admin } = await newTenant()
      expect((await admin.post('/notifications/broadcasts', fields)).status).toBe(400)
    },
  )
})

describe('the list of what was sent', () => {
  const sentBy = async (who: Caller, query = '') => ok(await who.get(`/notifications/sent${query}`))

  test('holds only the caller’s notifications of one user and broadcasts, newest first', async () => {
    const tenant = await newTenant()
    const other = await tenant.userWith('notification:send')
    ok(await tenant.admin.post('/notifications', { user_id: other.userId, title: 'To one' }))
    await begin(tenant.admin)
    ok(await other.post('/notifications', { user_id: other.userId, title: 'To oneself' }))
    const { items, total } = await sentBy(tenant.admin)
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { title: 'To all', user_id: 0, sent: 0, total: 2, is_done: false },
      { title: 'To one', user_id: other.userId, recipient: other.username, sent: 1, total: 1, is_done: true },
    ])
    expect((await sentBy(tenant.admin, `?before_id=${items[0].id}`)).items).toEqual([items[1]])
    expect((await sentBy(tenant.admin, '?page=2&page_size=1')).items).toEqual([items[1]])
    expect((await sentBy(other)).items).toMatchObject([{ title: 'To oneself' }])
  })

  test('the list of a platform administrator in a tenant holds nothing of a user with the same id', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    ok(
      await root.post(
        '/notifications',
        { user_id: tenant.admin.userId, title: 'From outside' },
        { tenant: tenant.id },
      ),
    )
    expect(ok(await root.get('/notifications/sent', { tenant: tenant.id })).items).toMatchObject([
      { title: 'From outside', recipient: tenant.admin.username },
    ])
    expect((await sentBy(tenant.admin)).items).toEqual([])
  })

  test('loses what was sent 180 days ago, and recipients keep theirs', async () => {
    const tenant = await newTenant()
    const other = await newTenant()
    clock.advance(-181 * dayMs)
    await begin(tenant.admin, { title: 'Half-way' })
    await sendBatch(tenant.admin, await begin(tenant.admin, { title: 'Old' }))
    ok(await other.admin.post('/notifications', { user_id: other.admin.userId, title: 'Old' }))
    clock.advance(2 * dayMs)
    await begin(tenant.admin, { title: 'Younger' })
    clock.advance(179 * dayMs)
    await sweepSendings(parts)
    expect((await sentBy(tenant.admin)).items).toMatchObject([{ title: 'Younger' }])
    expect((await sentBy(other.admin)).items).toEqual([])
    expect([await titlesOf(tenant.admin), await titlesOf(other.admin)]).toEqual([['Old'], ['Old']])
  })
})
