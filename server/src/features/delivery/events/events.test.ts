import { once } from 'node:events'
import { connect } from 'node:net'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { asOwner, sealRecords } from '../../../../test/audit-chain.ts'
import { openStream, requestStream } from '../../../../test/event-streams.ts'
import {
  assign,
  builtIn,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  signIn,
  systemRoleId,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { insertEligible } from '../../../../test/role-rows.ts'
import { proveTwice } from '../../../../test/second-factors.ts'
import { endsWithin, eventually } from '../../../../test/waits.ts'
import { createMetrics } from '../../../metrics.ts'
import { systemCtx } from '../../../start/parts.ts'
import { endElevations } from '../../accounts/roles/elevations.service.ts'

const notify = (from: Caller, to: Caller, title = 'Hello') =>
  from.post('/notifications', { user_id: to.userId, title })

const reasonOf = async (stream: Awaited<ReturnType<typeof openStream>>): Promise<unknown> => {
  await stream.ended
  return stream.events.at(-1)
}

const ending = (reason: string) => ({ event: 'end', id: undefined, data: { reason } })

describe('a stream', () => {
  test('is no envelope, and asks proxies neither to keep, to change nor to buffer it', async () => {
    const { admin } = await newTenant()
    const { headers } = await openStream(admin)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test('needs a signed-in caller: 401 in the envelope without', async () => {
    const { admin } = await newTenant()
    const answer = await requestStream({ ...admin, token: 'none' })
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 40102 }])
  })

  test('begins with its place, as an id without data', async () => {
    const stream = await openStream((await newTenant()).admin)
    await eventually(() => expect(stream.place()).toBeDefined())
    expect(stream.text()).toMatch(/^retry: 2000\n\nid: \d+\.\d+\n\n$/)
  })

  test.each(['', 'x', '1', '1.', '1.2.3', '-1.0', '1.1234567', '9999999999999999.0', 'é'.repeat(2000)])(
    'begins with a gap, and then its place, after the last event id %j, which names none',
    async (lastEventId) => {
      const { admin } = await newTenant()
      const stream = await openStream(admin, { lastEventId })
      await eventually(() => expect(stream.place()).toBeDefined())
      expect(stream.text()).toMatch(/^retry: 2000\n\nevent: gap\ndata: \{\}\n\nid: \d+\.\d+\n\n$/)
    },
  )

  test('a stream of all tenants needs tenant:enter', async () => {
    const { admin } = await newTenant()
    expect((await requestStream(admin, { query: '?all_tenants=true' })).status).toBe(403)
    const root = await platformAdmin()
    await openStream(root, { query: '?all_tenants=true' })
  })

  test('is one of at most 5 of a session: 429 with Retry-After beyond, until one is closed', async () => {
    const { admin } = await newTenant()
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(admin)))
    const refused = await requestStream(admin)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    const again = await signIn(admin)
    await openStream(again)
    streams[0]?.close()
    await eventually(() => openStream(admin))
  })

  test('is counted by the metrics, while it is open', async () => {
    const metrics = createMetrics()
    const own = await startApp({}, undefined, { metrics })
    const open = async () => (await metrics.streams.get()).values[0]?.value
    const { admin } = await newTenant()
    const stream = await openStream(admin, { at: own })
    expect(await open()).toBe(1)
    stream.close()
    await eventually(async () => expect(await open()).toBe(0))
    await own.app.close()
  })

  test('a stream of a client that does not read is closed', async () => {
    const { admin } = await newTenant()
    const metrics = createMetrics()
    const own = await startApp({}, undefined, { metrics })
    const open = async () => (await metrics.streams.get()).values[0]?.value
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `GET /api/v1/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n\r\n`,
    )
    await eventually(async () => expect(await open()).toBe(1))
    const content = 'x'.repeat(10_000)
    await eventually(async () => {
      await admin.post('/notifications', { user_id: admin.userId, title: 'x', content }, { at: own })
      expect(await open()).toBe(0)
    })
    socket.destroy()
    await own.app.close()
  }, 60_000)
})

describe('the inbox on a stream', () => {
  test('rings only for the recipient, with the notification and the unread count', async () => {
    const tenant = await newTenant()
    const [user, other] = [await tenant.member(), await tenant.member()]
    const [stream, foreign] = [await openStream(user), await openStream(other)]
    const sent = ok(await notify(tenant.admin, user))
    const { data, id } = await stream.heard('notification')
    expect([id, data]).toEqual([undefined, { notification: sent, unread_count: 1 }])
    ok(await notify(tenant.admin, other, 'Yours'))
    await foreign.heard('notification')
    expect(foreign.events.map((one) => one.data.notification.title)).toEqual(['Yours'])
  })

  test('tells the count after reading, reading all and deleting', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const ids: number[] = []
    for (let index = 0; index < 3; index += 1) ids.push(ok(await notify(tenant.admin, user)).id)
    const stream = await openStream(user)
    ok(await user.put(`/notifications/${ids[0]}/read`))
    await stream.heard('unread', ({ count }) => count === 2)
    ok(await user.delete(`/notifications/${ids[1]}`))
    await stream.heard('unread', ({ count }) => count === 1)
    ok(await user.put('/notifications/read-all'))
    await stream.heard('unread', ({ count }) => count === 0)
    expect(stream.events.map(({ data }) => data)).toEqual([{ count: 2 }, { count: 1 }, { count: 0 }])
  })

  test('rings for a broadcast', async () => {
    const tenant = await newTenant()
    const users = [await tenant.member(), await tenant.member()]
    const streams = await Promise.all(users.map((user) => openStream(user)))
    const { id } = ok(await tenant.admin.post('/notifications/broadcasts', { title: 'To all' }))
    ok(await tenant.admin.post(`/notifications/broadcasts/${id}/batches`))
    for (const [index, stream] of streams.entries()) {
      const { data } = await stream.heard('notification')
      expect(data).toMatchObject({
        notification: { title: 'To all', user_id: users[index]?.userId },
        unread_count: 1,
      })
    }
  })

  test('is the caller’s own with another tenant in scope', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const stream = await openStream(root, { tenant: tenant.id })
    ok(await notify(root, root, 'At home'))
    const rung = await stream.heard('notification', ({ notification }) => notification.title === 'At home')
    expect(rung.data.notification).toMatchObject({ tenant_id: root.tenantId, user_id: root.userId })
  })
})

describe('authority on a stream', () => {
  test('is told to the caller, and not to others', async () => {
    const tenant = await newTenant()
    const [user, other] = [await tenant.member(), await tenant.member()]
    const [stream, foreign] = [await openStream(user), await openStream(other)]
    await assign(tenant.id, user.userId, (await tenant.role('role:read')).id)
    const { data, id } = await stream.heard('authority', ({ user_id: one }) => one === user.userId)
    expect([id, data]).toEqual([undefined, { tenant_id: tenant.id, user_id: user.userId, session_id: '' }])
    await assign(tenant.id, other.userId, systemRoleId('admin'))
    await foreign.heard('authority', ({ user_id: one }) => one === other.userId)
    expect(foreign.events.every((one) => one.data.user_id !== user.userId)).toBe(true)
  })

  test('a change of a role is sent to everybody in the tenant', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('role:read')
    const stream = await openStream(await tenant.member())
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [] }))
    const { data } = await stream.heard('authority')
    expect(data).toEqual({ tenant_id: tenant.id, user_id: 0, session_id: '' })
  })

  test('a change of other users is sent to keys with authz:check, with the session that ended', async () => {
    const tenant = await newTenant()
    const [checking, plain] = [await keyWith(tenant.id, ['authz:check']), await keyWith(tenant.id, [])]
    const [hears, hearsNot] = [await openStream(checking), await openStream(plain)]
    const user = await tenant.member()
    const { sid } = JSON.parse(Buffer.from(user.token.split('.')[1] ?? '', 'base64url').toString())
    ok(await user.post('/auth/logout'))
    const { data } = await hears.heard('authority', ({ user_id: id }) => id === user.userId)
    expect(data).toEqual({ tenant_id: tenant.id, user_id: user.userId, session_id: sid })
    ok(await tenant.admin.delete(`/users/${user.userId}`))
    await hears.heard(
      'authority',
      ({ user_id: id, session_id: session }) => id === user.userId && session === '',
    )
    expect(hearsNot.events).toEqual([])
  })

  test('the end of a session is not sent to keys of another tenant of the person', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const user = await tenant.member()
    await insertMember(user, other)
    const [hears, foreign] = await Promise.all(
      [tenant, other].map(async ({ id }) => openStream(await keyWith(id, ['authz:check']))),
    )
    ok(await user.post('/auth/logout'))
    await hears?.heard('authority', ({ user_id: id }) => id === user.userId)
    await assign(other.id, other.admin.userId, (await other.role('role:read')).id)
    await foreign?.heard('authority', ({ user_id: id }) => id === other.admin.userId)
    expect(foreign?.events.every(({ data }) => data.session_id === '')).toBe(true)
  })

  test('changes of other tenants are sent only to a key of all tenants', async () => {
    const [tenant, { tenantId }] = [await newTenant(), await platformAdmin()]
    const key = await keyWith(tenantId, ['authz:check', 'tenant:enter'])
    const [all, own] = [await openStream(key, { query: '?all_tenants=true' }), await openStream(key)]
    const user = await tenant.member()
    await assign(tenant.id, user.userId, (await tenant.role('role:read')).id)
    await all.heard('authority', ({ user_id: id }) => id === user.userId)
    expect(own.events.filter(({ data }) => data.tenant_id === tenant.id)).toEqual([])
  })
})

describe('a change on a stream', () => {
  const sealed = async (tenant: Tenant, key: string) => {
    ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: 1 }))
    await sealRecords(tenant.id)
  }

  test('is told when its record is sealed, to holders of audit:read in its tenant', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const [reader, member] = [await tenant.userWith('audit:read'), await tenant.member()]
    await sealRecords(tenant.id)
    const streams = await Promise.all([reader, member, other.admin].map((one) => openStream(one)))
    const [hears, ...hearNot] = streams
    ok(await tenant.admin.put('/settings/tenant/color', { value: 1 }))
    const [record] = ok(await tenant.admin.get('/audit/logs?page_size=1')).items
    await sealRecords(tenant.id)
    const change = await hears?.heard('change', ({ resource_id: id }) => id === 'color')
    expect(change).toEqual({
      event: 'change',
      id: expect.stringMatching(/^\d+\.\d+$/),
      data: {
        id: record.id,
        tenant_id: tenant.id,
        action: 'setting.create',
        resource: 'setting',
        resource_id: 'color',
      },
    })
    expect(hearNot.flatMap(({ events }) => events.filter(({ event }) => event === 'change'))).toEqual([])
  })

  test('comes again after the last event id, each record once and in order, and new ones follow', async () => {
    const tenant = await newTenant()
    const first = await openStream(tenant.admin)
    await sealed(tenant, 'one')
    const { id } = await first.heard('change', ({ resource_id: key }) => key === 'one')
    for (let index = 0; index < 150; index += 1) {
      ok(await tenant.admin.put(`/settings/tenant/missed-${index}`, { value: 1 }))
      if (index % 50 === 0) await sealRecords(tenant.id)
    }
    await sealRecords(tenant.id)
    const second = await openStream(tenant.admin, { lastEventId: id })
    await sealed(tenant, 'last')
    await second.heard('change', ({ resource_id: key }) => key === 'last')
    const keys = second.events.filter(({ event }) => event === 'change').map((one) => one.data.resource_id)
    expect(keys).toEqual([...Array.from({ length: 150 }, (_, index) => `missed-${index}`), 'last'])
  })

  test('comes after the place that the stream began with, although nothing was heard before', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    await sealed(tenant, 'before')
    await sealed(other, 'elsewhere')
    const first = await openStream(tenant.admin)
    const lastEventId = await eventually(() => {
      expect(first.place()).toBeDefined()
      return first.place()
    })
    first.close()
    await sealed(other, 'elsewhere')
    await sealed(tenant, 'between')
    const second = await openStream(tenant.admin, { lastEventId })
    await second.heard('change', ({ resource_id: key }) => key === 'between')
    expect(second.text()).toMatch(/^retry: 2000\n\nid: /)
    const keys = second.events.flatMap(({ data }) => (data.resource === 'setting' ? [data.resource_id] : []))
    // A stream begins where the open streams of its process are, up to half a second ago.
    expect(keys.filter((key) => key !== 'before')).toEqual(['between'])
  })

  test('a change that has expired becomes a gap', async () => {
    const tenant = await newTenant()
    await sealed(tenant, 'early')
    const first = await openStream(tenant.admin)
    await sealed(tenant, 'known')
    const { id } = await first.heard('change', ({ resource_id: key }) => key === 'known')
    await sealed(tenant, 'lost')
    await sealed(tenant, 'kept')
    await asOwner(sql`
      delete from audit_seals s where tenant_id = ${tenant.id} and sequence < (
        select max(sequence) from audit_seals where tenant_id = ${tenant.id})`)
    const second = await openStream(tenant.admin, { lastEventId: id })
    expect(await second.heard('gap')).toEqual({ event: 'gap', id: undefined, data: {} })
  })

  test('is told of each record of a large seal to a client that reads', async () => {
    const tenant = await newTenant()
    await sealRecords(tenant.id)
    const stream = await openStream(tenant.admin)
    const keys = Array.from({ length: 300 }, (_, index) => `one-of-many-${index}`)
    for (const key of keys) ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: 1 }))
    await sealRecords(tenant.id)
    await sealed(tenant, 'last')
    await stream.heard('change', ({ resource_id: key }) => key === 'last')
    const heard = stream.events.filter(({ event, data }) => event === 'change' && data.resource === 'setting')
    expect(heard.map(({ data }) => data.resource_id)).toEqual([...keys, 'last'])
  })

  test('a change that cannot be read after the last event id closes the stream', async () => {
    const tenant = await newTenant()
    const transaction: typeof parts.store.transaction = async (...call) => {
      if (call[2] === 'tenantry_seal') throw new Error('the database is away')
      return parts.store.transaction(...call)
    }
    const own = await startApp({}, undefined, { store: { ...parts.store, transaction } })
    const stream = await openStream(tenant.admin, { at: own, lastEventId: '1.0' })
    await stream.ended
    expect(stream.events.filter(({ event }) => event === 'end')).toEqual([])
    await own.app.close()
  })

  test('the last event id of another tenant gives none of its changes', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const theirs = await openStream(other.admin)
    await sealed(other, 'secret')
    const { id } = await theirs.heard('change', ({ resource_id: key }) => key === 'secret')
    await sealed(other, 'later')
    const own = await openStream(tenant.admin, { lastEventId: id })
    await sealed(tenant, 'own')
    await own.heard('change', ({ resource_id: key }) => key === 'own')
    expect(own.events.every(({ data }) => data.tenant_id === tenant.id)).toBe(true)
  })

  test('a change of every tenant is sent to a stream of all tenants, also after its last event id', async () => {
    const [root, one, two] = [await platformAdmin(), await newTenant(), await newTenant()]
    const all = await openStream(root, { query: '?all_tenants=true' })
    await sealed(one, 'here')
    const { id } = await all.heard('change', ({ tenant_id: tenant }) => tenant === one.id)
    await sealed(two, 'there')
    await all.heard('change', ({ tenant_id: tenant }) => tenant === two.id)
    const again = await openStream(root, { query: '?all_tenants=true', lastEventId: id })
    const missed = await again.heard('change', ({ resource_id: key }) => key === 'there')
    expect(missed.data.tenant_id).toBe(two.id)
  })

  test('is not sent after audit:read was taken, and the stream continues', async () => {
    const tenant = await newTenant()
    const reader = await tenant.userWith('audit:read')
    const [stream, control] = [await openStream(reader), await openStream(tenant.admin)]
    const [role] = ok(await tenant.admin.get(`/rbac/users/${reader.userId}/roles`))
    ok(await tenant.admin.delete(`/rbac/users/${reader.userId}/roles/${role.id}`))
    await stream.heard('authority')
    await eventually(async () => expect((await reader.get('/audit/logs')).status).toBe(403))
    await sealed(tenant, 'hidden')
    await control.heard('change', ({ resource_id: key }) => key === 'hidden')
    expect(stream.events.some(({ data }) => data.resource_id === 'hidden')).toBe(false)
    ok(await notify(tenant.admin, reader))
    await stream.heard('notification')
  })
})

describe('the end of a stream', () => {
  test('a stream ends when its session signs out, and not that of another session', async () => {
    const { admin } = await newTenant()
    const other = await signIn(admin)
    const [stream, kept] = [await openStream(admin), await openStream(other)]
    ok(await admin.post('/auth/logout'))
    expect(await reasonOf(stream)).toEqual(ending('signed_out'))
    ok(await notify(other, other))
    await kept.heard('notification')
  })

  test.each<[string, (tenant: Tenant, user: Caller) => Promise<unknown>, string]>([
    [
      'the user is disabled',
      ({ admin }, { userId }) => admin.put(`/users/${userId}`, { status: 0 }),
      'signed_out',
    ],
    ['the user is deleted', ({ admin }, { userId }) => admin.delete(`/users/${userId}`), 'signed_out'],
    [
      'the password is changed elsewhere',
      async (_, user) => {
        const elsewhere = await signIn(user)
        return elsewhere.post('/password', { old_password: password, new_password: `${password}!` })
      },
      'signed_out',
    ],
    [
      'the tenant is disabled',
      async ({ id }) => (await platformAdmin()).put(`/org/tenants/${id}`, { status: 0 }),
      'not_allowed',
    ],
    [
      'the tenant is deleted',
      async ({ id }) => (await platformAdmin()).delete(`/org/tenants/${id}`),
      'not_allowed',
    ],
  ])('a stream ends when %s', async (_, change, reason) => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const stream = await openStream(user)
    ok((await change(tenant, user)) as Parameters<typeof ok>[0])
    expect(await reasonOf(stream)).toEqual(ending(reason))
  })

  test('a stream ends when its key is revoked', async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, [])
    const stream = await openStream(key)
    ok(await tenant.admin.delete(`/service-accounts/${key.userId}/keys/${key.keyId}`))
    expect(await reasonOf(stream)).toEqual(ending('signed_out'))
  })

  test('a stream of another tenant ends when its caller loses tenant:enter', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const key = await keyWith(root.tenantId, ['tenant:enter'])
    const stream = await openStream(key, { tenant: tenant.id })
    const [role] = ok(await root.get(`/rbac/users/${key.userId}/roles`))
    ok(await root.delete(`/rbac/users/${key.userId}/roles/${role.id}`))
    expect(await reasonOf(stream)).toEqual(ending('not_allowed'))
  })

  test('a stream ends when the access token expires', async () => {
    const { admin } = await newTenant()
    const stream = await openStream(admin)
    clock.advance(parts.config.accessTokenSeconds * 1000 + 1000)
    expect(await reasonOf(stream)).toEqual(ending('expired'))
  })

  test('a stream ends when its key expires', async () => {
    const { id } = await newTenant()
    const hour = 3_600_000
    const key = await keyWith(id, [], { expires_at: new Date(clock.now().getTime() + hour).toISOString() })
    const stream = await openStream(key)
    clock.advance(hour + 1000)
    // Without a change, the service reads the caller again only after 15 s.
    expect(await endsWithin(10_000, () => stream.ended)).toBe(true)
    expect(stream.events).toEqual([ending('expired')])
  })

  test('a replica without messages ends a stream by the sealed record of the end of the session', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const deaf = await startApp({}, undefined, {
      cache: { ...parts.cache, subscribe: () => undefined, isHearing: () => true },
    })
    const stream = await openStream(user, { at: deaf })
    // The service first reads the caller after the opening.
    await eventually(async () =>
      expect((await parts.metrics.streams.get()).values[0]?.value).toBeGreaterThan(0),
    )
    ok(await user.post('/auth/logout'))
    await sealRecords(tenant.id)
    expect(await reasonOf(stream)).toEqual(ending('signed_out'))
    await deaf.app.close()
  })

  test('a stream ends with the elevation of its session, also at a replica without messages', async () => {
    const tenant = await newTenant()
    const role = await builtIn.role('tenant:enter')
    const user = await builtIn.member()
    await proveTwice(user)
    await insertEligible(user, role.id)
    const start = { role_id: role.id, minutes: 5, reason: 'Ticket 4711' }
    const { id } = ok(await user.post('/elevations', start))
    const deaf = await startApp({}, undefined, {
      cache: { ...parts.cache, subscribe: () => undefined, isHearing: () => true },
    })
    const there = { tenant: tenant.id }
    const streams = [await openStream(user, there), await openStream(user, { ...there, at: deaf })]
    // The service first reads the caller after the opening.
    await eventually(async () =>
      expect((await parts.metrics.streams.get()).values[0]?.value).toBeGreaterThan(1),
    )
    await parts.store.scoped({ tenantId: builtIn.id }).run(sql`
      update elevations set ends_at = statement_timestamp() where tenant_id = ${builtIn.id} and id = ${id}`)
    await endElevations(systemCtx(parts, 'maintenance'))
    await sealRecords(builtIn.id)
    for (const stream of streams) {
      // Without a change, the service reads the caller again only after 15 s.
      expect(await endsWithin(10_000, () => stream.ended)).toBe(true)
      expect(await reasonOf(stream)).toEqual(ending('not_allowed'))
    }
    await deaf.app.close()
  })

  test('a stream ends when the service stops, and no new one begins', async () => {
    const { admin } = await newTenant()
    const stopping = new AbortController()
    const stopped = await startApp({}, undefined, { stopping })
    const stream = await openStream(admin, { at: stopped })
    stopping.abort()
    await stream.ended
    expect(stream.events.filter(({ event }) => event === 'end')).toEqual([])
    expect((await requestStream(admin, { at: stopped })).status).toBe(503)
    await stopped.app.close()
  })
})

test('records that an import brought are no changes', async () => {
  const tenant = await newTenant()
  const stream = await openStream(tenant.admin)
  ok(await tenant.admin.put('/settings/tenant/imported', { value: 1 }))
  const db = parts.store.scoped({ tenantId: tenant.id })
  const newest = await db.one<{ id: number }>(
    sql`select max(id) as id from audit_logs where tenant_id = ${tenant.id}`,
  )
  await db.run(sql`update tenants set imported_to = ${newest?.id} where id = ${tenant.id}`)
  ok(await tenant.admin.put('/settings/tenant/own', { value: 1 }))
  await sealRecords(tenant.id)
  await stream.heard('change', ({ resource_id: key }) => key === 'own')
  expect(stream.events.some(({ data }) => data.resource_id === 'imported')).toBe(false)
})
