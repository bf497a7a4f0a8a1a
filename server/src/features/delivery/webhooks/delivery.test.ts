/**
 * Deliveries of one replica. This file has all tests about deliveries: on services, another file's replica would
 * deliver for these hooks by its own clock.
 */
import { Webhook as Verifier } from 'standardwebhooks'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asOwner, ownerRows, sealRecords } from '../../../../test/audit-chain.ts'
import { postRefresh } from '../../../../test/accounts.ts'
import {
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'
import {
  alterRecord,
  deliver,
  deliverer,
  deliveriesOf,
  happen,
  heardBy,
  hookNow,
  hookOf,
  openReceiver,
  type Hook,
} from '../../../../test/hooks.ts'
import { startMailServer } from '../../../../../lab/mail-server.ts'
import { clearQueue, deliver as deliverMails } from '../../../../test/mail-queue.ts'
import { inert } from '../../../mail/values.ts'
import { answering, taking } from '../../../../../lab/receiver.ts'
import { eventually } from '../../../../test/waits.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { systemCtx } from '../../../start/parts.ts'
import { expireAuditLogs } from '../../audit/audit/retention.service.ts'
import { countMissed } from './missed.service.ts'
import { createDeliverer } from './delivery.service.ts'
import { countBacklog } from './backlog.service.ts'

describe('delivering', () => {
  test('records reach a hook in order, each once, signed so that standardwebhooks verifies them', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one', 'two', 'three')
    await deliver(tenant)
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual(ids)
    for (const { text, headers, event } of receiver.received) {
      const verified = new Verifier(hook.secret).verify(text, headers as Record<string, string>)
      expect(verified).toEqual(event)
    }
    const [first] = receiver.events()
    const log = ok(await tenant.admin.get(`/audit/logs/${first?.event.data.id}`))
    expect(first?.event).toEqual({ type: 'notification.create', timestamp: log.created_at, data: log })
    const rows = await deliveriesOf(tenant.admin, hook)
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual(ids.map(() => ['delivered', 1]))
    expect(await hookNow(tenant.admin, hook)).toMatchObject({ backlog: 0, disabled_reason: '' })
  })

  test('every replica learns of records that were sealed', async () => {
    const tenant = await newTenant()
    const heard: unknown[] = []
    parts.cache.subscribe((change) => heard.push(change))
    await happen(tenant, 'one')
    await sealRecords(tenant.id)
    expect(heard).toContainEqual({ kind: 'queued', queue: 'webhooks' })
  })

  test('a hook hears its patterns alone, and nothing from before its creation', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    await happen(tenant, 'earlier')
    await sealRecords(tenant.id)
    await hookOf(tenant.admin, receiver.url, { events: ['notification.create', 'role.*'] })
    const { id } = await tenant.role()
    const [notified] = await happen(tenant, 'later')
    ok(await tenant.admin.delete(`/notifications/${notified}`))
    await deliver(tenant)
    expect(receiver.events().map(({ event }) => [event.type, event.data.resource_id])).toEqual([
      ['role.create', String(id)],
      ['notification.create', String(notified)],
    ])
  })

  test('nothing but tests is sent until the URL has answered one, and again after a change of the URL', async () => {
    const receiver = await openReceiver(answering(500))
    const tenant = await newTenant()
    const hook = ok(await tenant.admin.post('/webhooks', { url: receiver.url, events: ['*'] }))
    const outcome = ok(await tenant.admin.post(`/webhooks/${hook.id}/test`))
    expect(outcome).toMatchObject({ status: 500, error: 'the response was 500', answer: 'status 500' })
    await happen(tenant, 'any')
    await deliver(tenant)
    expect(receiver.events()).toEqual([])
    expect(await hookNow(tenant.admin, hook)).toMatchObject({
      disabled_reason: 'Its URL has not answered a test yet',
      backlog: 5,
    })
    const lastError = async () => ok(await tenant.admin.get(`/webhooks/${hook.id}?include=health`)).last_error
    expect(await lastError()).toBe('the response was 500')
    receiver.behave(taking)
    ok(await tenant.admin.post(`/webhooks/${hook.id}/test`))
    expect(await lastError()).toBe('')
    await deliver(tenant)
    expect(receiver.events().length).toBeGreaterThan(0)
    const before = receiver.events().length
    ok(await tenant.admin.put(`/webhooks/${hook.id}`, { url: `${receiver.url}/other` }))
    await deliver(tenant)
    expect(receiver.events()).toHaveLength(before)
  })

  test('a failed delivery is tried again with pauses, holds up those behind it, and keeps its id', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(503))
    const ids = await happen(tenant, 'one', 'two')
    let due = clock.now().getTime()
    const pass = () => clock.advance(due - clock.now().getTime() + 1)
    for (const [at, seconds] of [5, 30, 120, 600].entries()) {
      pass()
      const from = clock.now().getTime()
      await deliver(tenant)
      const to = clock.now().getTime()
      expect(heardBy(receiver)).toEqual(Array(at + 1).fill(ids[0]))
      const [delivery] = await deliveriesOf(tenant.admin, hook)
      expect(delivery).toMatchObject({
        status: 'pending',
        attempts: at + 1,
        response_status: 503,
        error: 'the response was 503',
      })
      due = Date.parse(delivery?.next_attempt_at ?? '')
      expect(due).toBeGreaterThanOrEqual(from + seconds * 1000)
      expect(due).toBeLessThanOrEqual(to + seconds * 1000)
    }
    await deliver(tenant)
    expect(receiver.events()).toHaveLength(4)
    receiver.behave(taking)
    pass()
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([...Array(5).fill(ids[0]), ids[1]])
    expect(new Set(receiver.events().map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    expect(
      (await deliveriesOf(tenant.admin, hook)).map(({ status, attempts }) => [status, attempts]),
    ).toEqual([
      ['delivered', 1],
      ['delivered', 5],
    ])
  })

  test('a receiver that switches protocols has failed: the delivery is tried again, and a test is answered', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(101, { connection: 'upgrade', upgrade: 'websocket' }))
    await happen(tenant, 'one')
    await deliver(tenant)
    const error = 'the connection ended without an answer'
    expect(await deliveriesOf(tenant.admin, hook)).toMatchObject([{ status: 'pending', attempts: 1, error }])
    expect(ok(await tenant.admin.post(`/webhooks/${hook.id}/test`))).toMatchObject({ status: 0, error })
  })

  test('a webhook is disabled after 3 days of failures, notifies its managers, and later continues at the same event', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(500))
    const ids = await happen(tenant, 'one', 'two')
    await deliver(tenant)
    for (let attempt = 2; attempt <= 18; attempt += 1) {
      clock.advance(6 * 3_600_000 + 1)
      await deliver(tenant)
    }
    expect(heardBy(receiver)).toHaveLength(18)
    clock.offsetMs = 0
    expect(await hookNow(tenant.admin, hook)).toMatchObject({
      status: 0,
      disabled_reason: 'No attempt succeeded for 3 days: the response was 500',
      backlog: 2,
    })
    expect(await deliveriesOf(tenant.admin, hook)).toMatchObject([{ status: 'failed', attempts: 18 }])
    const [told] = ok(await tenant.admin.get(`/notifications/user/${tenant.admin.userId}`)).items
    expect(told).toMatchObject({ title: 'A webhook was disabled', type: 'warning' })
    receiver.behave(taking)
    ok(await tenant.admin.put(`/webhooks/${hook.id}`, { status: 1 }))
    await deliver(tenant)
    expect(heardBy(receiver).slice(18)).toEqual(ids)
  })

  test('410 Gone disables a hook at once', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(410))
    await happen(tenant, 'one')
    await deliver(tenant)
    expect(await hookNow(tenant.admin, hook)).toMatchObject({
      status: 0,
      disabled_reason: 'The receiver answered 410 Gone',
    })
  })

  test('20 people who manage webhooks get a notification and an e-mail, and nobody else', async () => {
    const mailServer = await startMailServer()
    onTestFinished(() => mailServer.stop())
    const receiver = await openReceiver()
    const tenant = await newTenant()
    await hookOf(tenant.admin, receiver.url)
    const { id: roleId } = await tenant.role('webhook:manage')
    const people: Caller[] = []
    for (let count = 0; count < 22; count += 1) {
      const one = await tenant.member()
      // The first user lacks the role; the second user is disabled.
      if (count > 0) ok(await tenant.admin.post(`/rbac/users/${one.userId}/roles`, { role_id: roleId }))
      people.push(one)
    }
    ok(await tenant.admin.put(`/users/${people[1]?.userId}`, { status: 0 }))
    const { refreshToken = '', email: reader = '' } = people[2] ?? {}
    ok(await postRefresh(refreshToken, { headers: { 'accept-language': 'zh' } }))
    await clearQueue()
    receiver.behave(answering(410))
    await happen(tenant, 'one')
    await deliver(tenant)
    await deliverMails(mailServer)
    // The administrator of the tenant has every permission.
    const told = [tenant.admin, ...people.slice(2, 21)]
    expect(mailServer.mails.map(({ to }) => to).toSorted()).toEqual(told.map(({ email }) => email).toSorted())
    const text = `to ${inert(new URL(receiver.url).origin)} was disabled at .*The receiver answered 410 Gone`
    expect(mailServer.to(tenant.admin.email)).toMatchObject([
      { subject: 'A webhook was disabled', source: expect.stringMatching(new RegExp(text)) },
    ])
    expect(mailServer.to(reader)).toMatchObject([{ subject: expect.stringMatching(/\p{Script=Han}/u) }])
    const notified = await ownerRows<{ user_id: number }>(sql`
      select user_id from notifications where tenant_id = ${tenant.id} and type = 'warning' order by user_id`)
    expect(notified.map(({ user_id: id }) => id)).toEqual(told.map(({ userId }) => userId))
  })

  test('a replay delivers earlier records again under their ids, and marks skipped ones dead', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one', 'two')
    await deliver(tenant)
    const [first, second] = receiver.events()
    const preview = async (body: object) =>
      ok(await tenant.admin.post(`/webhooks/${hook.id}/replay/preview`, body))
    expect(await preview({ from_id: second?.event.data.id })).toEqual({ again: 1, skipped: 0 })
    expect(await preview({ from: first?.event.timestamp })).toEqual({ again: 2, skipped: 0 })
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from_id: second?.event.data.id }))
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([...ids, ids[1]])
    expect(receiver.events()[2]?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from: first?.event.timestamp }))
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([...ids, ids[1], ...ids])
    receiver.behave(answering(500))
    const later = await happen(tenant, 'three', 'four', 'five')
    await deliver(tenant)
    receiver.behave(taking)
    const last = ok(await tenant.admin.get('/audit/logs?action=notification.create&page_size=1')).items[0]
    expect(await preview({ from_id: last.id })).toEqual({ again: 0, skipped: 2 })
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from_id: last.id }))
    await deliver(tenant)
    expect(heardBy(receiver).slice(5)).toEqual([later[0], later[2]])
    expect((await deliveriesOf(tenant.admin, hook, '&status=dead')).map(({ attempts }) => attempts)).toEqual([
      0, 1,
    ])
    const unknown = await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from_id: 1 })
    expect(unknown.status).toBe(404)
    expect((await tenant.admin.post(`/webhooks/${hook.id}/replay/preview`, { from_id: 1 })).status).toBe(404)
  })

  test('a hook stops while its last editor lacks audit:read, and goes on when they have it again', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const role = await tenant.role('webhook:manage', 'audit:read', 'webhook:read')
    const editor = await tenant.member()
    ok(await tenant.admin.post(`/rbac/users/${editor.userId}/roles`, { role_id: role.id }))
    const hook = ok(await editor.post('/webhooks', { url: receiver.url, events: ['notification.*'] }))
    ok(await editor.post(`/webhooks/${hook.id}/test`))
    ok(await tenant.admin.delete(`/rbac/users/${editor.userId}/roles/${role.id}`))
    const ids = await happen(tenant, 'one')
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([])
    expect((await hookNow(tenant.admin, hook)).disabled_reason).toMatch(/lacks webhook:manage, audit:read/)
    ok(await tenant.admin.post(`/rbac/users/${editor.userId}/roles`, { role_id: role.id }))
    clock.advance(5001)
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual(ids)
  })

  test('the backlog counts the records that wait for a hook, and for two hooks twice', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    await hookOf(tenant.admin, receiver.url)
    await hookOf(tenant.admin, receiver.url)
    await deliver(tenant)
    const before = await countBacklog(parts)
    await happen(tenant, 'one', 'two')
    await sealRecords(tenant.id)
    expect(await countBacklog(parts)).toBe(before + 4)
    await deliver(tenant)
    expect(await countBacklog(parts)).toBe(before)
  })

  test('a slow receiver delays no other hook of the tenant', async () => {
    const slow = await openReceiver()
    const fast = await openReceiver()
    const tenant = await newTenant()
    await hookOf(tenant.admin, slow.url)
    await hookOf(tenant.admin, fast.url)
    const release = Promise.withResolvers<void>()
    slow.behave((request, response, one) => void release.promise.then(() => taking(request, response, one)))
    const ids = await happen(tenant, 'one', 'two')
    await sealRecords(tenant.id)
    await deliverer.round()
    await expect.poll(() => heardBy(fast)).toEqual(ids)
    await expect.poll(() => heardBy(slow)).toEqual([ids[0]])
    release.resolve()
    await deliverer.settle()
    expect(heardBy(slow)).toEqual(ids)
  })
})

test('a hook that waits counts its own events alone, and so does the preview of a replay', async () => {
  const receiver = await openReceiver()
  const tenant = await newTenant()
  const hook = await hookOf(tenant.admin, receiver.url)
  ok(await tenant.admin.put(`/webhooks/${hook.id}`, { status: 0 }))
  await happen(tenant, 'one')
  await tenant.role()
  await sealRecords(tenant.id)
  await happen(tenant, 'two')
  await tenant.role()
  await sealRecords(tenant.id)
  expect(await hookNow(tenant.admin, hook)).toMatchObject({ backlog: 2 })
  const effectOf = async (target: object) =>
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay/preview`, target))
  expect(await effectOf({ from: '2100-01-01T00:00:00Z' })).toEqual({ again: 0, skipped: 2 })
  const { items } = ok(await tenant.admin.get('/audit/logs?action=notification.create'))
  expect(await effectOf({ from_id: items[0].id })).toEqual({ again: 0, skipped: 1 })
})

describe('attempts', () => {
  const newest = async (tenant: Tenant, hook: Hook) =>
    ok(await tenant.admin.get(`/webhooks/${hook.id}/deliveries?page_size=1`)).items[0]
  const detailsOf = async (caller: Caller, hook: Hook, { id }: { id: number }) =>
    ok(await caller.get(`/webhooks/${hook.id}/deliveries/${id}`))
  const resend = (tenant: Tenant, hook: Hook, { id }: { id: number }) =>
    tenant.admin.post(`/webhooks/${hook.id}/deliveries/${id}/resend`)

  test('the attempts of a delivery show request and answer, without signatures', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave((_, response) => void response.writeHead(500).end(`no\0${'x'.repeat(2000)}`))
    await happen(tenant, 'one')
    await deliver(tenant)
    receiver.behave(taking)
    clock.advance(6000)
    await deliver(tenant)
    const details = await detailsOf(tenant.admin, hook, await newest(tenant, hook))
    const [first, second] = receiver.events()
    expect(details).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(details.history).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        duration_ms: expect.any(Number),
        response_status: 500,
        error: 'the response was 500',
        response: `no\uFFFD${'x'.repeat(1021)}`,
      },
      expect.objectContaining({ response_status: 204, error: '', response: '' }),
    ])
    expect(details.request).toEqual({
      headers: {
        'content-type': 'application/json',
        'user-agent': second?.headers['user-agent'],
        'webhook-id': first?.headers['webhook-id'],
        'webhook-timestamp': second?.headers['webhook-timestamp'],
      },
      body: second?.text,
    })
    expect(JSON.stringify(details)).not.toContain('v1,')
  })

  test('are 20 at most, the last ones', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one')
    await deliver(tenant)
    const delivery = await newest(tenant, hook)
    for (let count = 0; count < 21; count += 1) ok(await resend(tenant, hook, delivery))
    receiver.behave(answering(202))
    ok(await resend(tenant, hook, delivery))
    const { history } = await detailsOf(tenant.admin, hook, delivery)
    expect(history).toHaveLength(20)
    expect(history.at(-1)).toMatchObject({ response_status: 202, response: 'status 202' })
  })

  test('show the audit record to holders of audit:read alone', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one')
    await deliver(tenant)
    const [reader, delivery] = [await tenant.userWith('webhook:read'), await newest(tenant, hook)]
    const { request } = await detailsOf(reader, hook, delivery)
    expect([request.body, request.headers['webhook-id']]).toEqual([
      '',
      receiver.events()[0]?.headers['webhook-id'],
    ])
  })

  test('attempts of another tenant are shown only to holders of tenant:enter', async () => {
    const receiver = await openReceiver()
    const root = await platformAdmin()
    const tenant = await newTenant()
    const builtIn = await keyWith(root.tenantId, ['webhook:read', 'audit:read'])
    const hook = await hookOf(root, receiver.url, { events: ['notification.*'], all_tenants: true })
    await happen(tenant, 'one')
    await deliver(tenant)
    const [delivery] = ok(await root.get(`/webhooks/${hook.id}/deliveries`)).items
    expect((await detailsOf(root, hook, delivery)).request.body).toBe(receiver.events()[0]?.text)
    expect((await detailsOf(builtIn, hook, delivery)).request.body).toBe('')
    ok(await root.delete(`/webhooks/${hook.id}`))
  })

  test('a manual attempt sends one event again under its id, and changes neither position nor status', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one')
    await deliver(tenant)
    const delivery = await newest(tenant, hook)
    receiver.behave(answering(503))
    expect(ok(await resend(tenant, hook, delivery))).toMatchObject({
      status: 503,
      error: 'the response was 503',
      answer: 'status 503',
    })
    const sent = receiver.events()
    expect(new Set(sent.map(({ text, headers }) => `${String(headers['webhook-id'])} ${text}`)).size).toBe(1)
    for (const { text, headers, event } of sent) {
      const verified = new Verifier(hook.secret).verify(text, headers as Record<string, string>)
      expect(verified).toEqual(event)
    }
    expect(await newest(tenant, hook)).toEqual(delivery)
    expect(ok(await tenant.admin.get('/audit/logs?action=webhook.resend')).items).toMatchObject([
      { resource_id: String(hook.id), detail: { event_id: { to: delivery.event_id } } },
    ])
    receiver.behave(taking)
    ids.push(...(await happen(tenant, 'two')))
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([ids[0], ids[0], ids[1]])
  })

  test('an accepted manual attempt settles the waiting delivery, and the webhook continues behind it', async () => {
    const receiver = await openReceiver(answering(503))
    const tenant = await newTenant()
    receiver.behave(taking)
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(503))
    const ids = await happen(tenant, 'one', 'two', 'three')
    await deliver(tenant)
    const delivery = await newest(tenant, hook)
    ok(await resend(tenant, hook, delivery))
    expect(await newest(tenant, hook)).toEqual(delivery)
    expect(await hookNow(tenant.admin, hook)).toMatchObject({ backlog: 3 })
    receiver.behave(taking)
    expect(ok(await resend(tenant, hook, delivery))).toMatchObject({ status: 204, error: '' })
    expect(await newest(tenant, hook)).toMatchObject({
      id: delivery.id,
      status: 'delivered',
      attempts: 2,
      response_status: 204,
      error: '',
      next_attempt_at: '',
    })
    const path = `/webhooks/${hook.id}?include=health`
    expect(ok(await tenant.admin.get(path))).toMatchObject({ backlog: 2, failing_since: '', last_error: '' })
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([ids[0], ids[0], ids[0], ids[1], ids[2]])
  })

  test('the attempts of a waiting delivery stay readable after a replay to an earlier record', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one')
    await deliver(tenant)
    const first = await newest(tenant, hook)
    receiver.behave(answering(503))
    ids.push(...(await happen(tenant, 'two')))
    await deliver(tenant)
    const failed = await newest(tenant, hook)
    const target = { from_id: first.event_id }
    const path = `/webhooks/${hook.id}/replay`
    expect(ok(await tenant.admin.post(`${path}/preview`, target))).toEqual({ again: 1, skipped: 0 })
    ok(await tenant.admin.post(path, target))
    expect(await detailsOf(tenant.admin, hook, failed)).toMatchObject({
      status: 'dead',
      next_attempt_at: '',
      history: [{ response_status: 503 }],
    })
    receiver.behave(taking)
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([ids[0], ids[1], ids[0], ids[1]])
  })

  test('manual attempts are refused while only tests are sent, and for a deleted delivery', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one')
    await deliver(tenant)
    const delivery = await newest(tenant, hook)
    ok(await tenant.admin.put(`/webhooks/${hook.id}`, { url: `${receiver.url}/other` }))
    expect(await resend(tenant, hook, delivery)).toMatchObject({
      status: 409,
      body: { message: 'Nothing is sent by this webhook. Its URL has not answered a test yet' },
    })
    ok(await tenant.admin.post(`/webhooks/${hook.id}/test`))
    ok(await tenant.admin.put(`/webhooks/${hook.id}`, { status: 0 }))
    expect((await resend(tenant, hook, delivery)).status).toBe(409)
    ok(await tenant.admin.put(`/webhooks/${hook.id}`, { status: 1 }))
    expect((await resend(tenant, hook, { id: delivery.id + 1_000_000 })).body.code).toBe(40419)
    await asOwner(sql`update webhook_deliveries set event_id = 1 where tenant_id = ${tenant.id}`)
    expect((await resend(tenant, hook, delivery)).body.code).toBe(40408)
    expect((await detailsOf(tenant.admin, hook, delivery)).request.body).toBe('')
    expect(heardBy(receiver)).toHaveLength(1)
  })

  test('manual attempts have a limit in a second, and get 429 beyond it', async () => {
    const receiver = await openReceiver()
    const limited = await startApp({ rateLimit: true })
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one')
    await deliver(tenant)
    const { id } = await newest(tenant, hook)
    const path = `/webhooks/${hook.id}/deliveries/${id}/resend`
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.admin.post(path, undefined, { at: limited })),
    )
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    await limited.app.close()
  })

  test('a third failed attempt notifies the managers of webhooks once, in their language', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(500))
    await happen(tenant, 'one')
    const told = () =>
      ownerRows<{ user_id: number; title: string; content: string; about: string }>(sql`
        select user_id, title, content, about from notifications
        where tenant_id = ${tenant.id} and type = 'warning'`)
    for (const pauseMs of [0, 5001]) {
      clock.advance(pauseMs)
      await deliver(tenant)
    }
    expect(await told()).toEqual([])
    for (const pauseMs of [30_001, 120_001]) {
      clock.advance(pauseMs)
      await deliver(tenant)
    }
    expect(await told()).toEqual([
      {
        user_id: tenant.admin.userId,
        title: 'A webhook is failing',
        content: expect.stringContaining(`${new URL(receiver.url).origin} are failing: the response was 500`),
        about: `webhook ${hook.id}`,
      },
    ])
    const { items } = ok(await tenant.admin.get(`/notifications/user/${tenant.admin.userId}?include=sender`))
    expect(items[0]).toMatchObject({ sender: '', about: { resource: 'webhook', id: String(hook.id) } })
  })

  test.each([
    [
      'the next attempt',
      (tenant: Tenant) => Promise.resolve(clock.advance(120_001)).then(() => deliver(tenant)),
    ],
    [
      'an attempt by hand',
      async (tenant: Tenant, hook: Hook) => void (await resend(tenant, hook, await newest(tenant, hook))),
    ],
    [
      'a test, which ends the pause',
      async (tenant: Tenant, hook: Hook) => {
        ok(await tenant.admin.post(`/webhooks/${hook.id}/test`))
        await deliver(tenant)
      },
    ],
  ])('the notices of a failing webhook are read after %s', async (_, mend) => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    receiver.behave(answering(500))
    await happen(tenant, 'one')
    for (const pauseMs of [0, 5001, 30_001]) {
      clock.advance(pauseMs)
      await deliver(tenant)
    }
    const unread = async () => {
      const { items } = ok(await tenant.admin.get(`/notifications/user/${tenant.admin.userId}?is_read=false`))
      return items.map(({ title }: { title: string }) => title)
    }
    expect(await unread()).toContain('A webhook is failing')
    receiver.behave(taking)
    await mend(tenant, hook)
    expect(await newest(tenant, hook)).toMatchObject({ status: 'delivered' })
    expect(await unread()).not.toContain('A webhook is failing')
  })

  test('the health of a webhook names its failure until an attempt succeeds', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const health = async () => {
      const one = ok(await tenant.admin.get(`/webhooks/${hook.id}?include=health`))
      const [listed] = ok(await tenant.admin.get('/webhooks?include=health'))
      expect(listed).toEqual(one)
      return [one.failing_since, one.last_error]
    }
    expect(Object.keys(await hookNow(tenant.admin, hook))).not.toContain('failing_since')
    expect(await health()).toEqual(['', ''])
    receiver.behave(answering(500))
    await happen(tenant, 'one')
    await deliver(tenant)
    const since = (await newest(tenant, hook)).created_at
    receiver.behave(answering(502))
    clock.advance(6000)
    await deliver(tenant)
    expect(await health()).toEqual([since, 'the response was 502'])
    receiver.behave(taking)
    clock.advance(31_000)
    await deliver(tenant)
    expect(await health()).toEqual(['', ''])
    expect((await tenant.admin.get(`/webhooks/${hook.id}?include=secret`)).status).toBe(400)
  })
})

describe('places', () => {
  /** A separate replica that has few slots. */
  const replicaWith = (places: { quick: number; slow: number }) => {
    const replica = createDeliverer(systemCtx(parts, 'test'), places)
    onTestFinished(() => replica.stop())
    return replica
  }
  /** A receiver that answers only when the test asks it to. */
  const openSlow = async () => {
    const [receiver, release] = [await openReceiver(), Promise.withResolvers<void>()]
    const hold = (): void => receiver.behave((...call) => void release.promise.then(() => taking(...call)))
    return { receiver, hold, release: release.resolve }
  }
  const hooksOf = async (tenant: Tenant, url: string, count: number) => {
    for (let at = 0; at < count; at += 1) await hookOf(tenant.admin, url)
  }
  const hearOne = async (tenant: Tenant): Promise<number[]> => {
    const ids = await happen(tenant, 'one')
    await sealRecords(tenant.id)
    return ids
  }

  test('slow receivers of one tenant hold up no other tenant', async () => {
    const [slow, fast] = [await openSlow(), await openReceiver()]
    const [tenant, other] = [await newTenant(), await newTenant()]
    await hooksOf(tenant, slow.receiver.url, 6)
    await hookOf(other.admin, fast.url)
    slow.hold()
    await hearOne(tenant)
    const replica = replicaWith({ quick: 2, slow: 1 })
    await replica.round()
    const ids = await hearOne(other)
    await eventually(async () => {
      await replica.round()
      expect(heardBy(fast)).toEqual(ids)
    })
    expect(slow.receiver.events().length).toBeGreaterThan(0)
    slow.release()
    await eventually(async () => {
      await replica.round()
      expect(slow.receiver.events()).toHaveLength(6)
    })
    await replica.settle()
  })

  test('slow receivers have few places until they answer in time again', async () => {
    const slow = await openSlow()
    const tenant = await newTenant()
    await hooksOf(tenant, slow.receiver.url, 3)
    const isSlow = () =>
      ownerRows<{ is_slow: boolean }>(sql`select is_slow from webhooks where tenant_id = ${tenant.id}`)
    slow.hold()
    await hearOne(tenant)
    await asOwner(sql`update webhooks set is_slow = true where tenant_id = ${tenant.id}`)
    const replica = replicaWith({ quick: 5, slow: 1 })
    await replica.round()
    await replica.round()
    await eventually(() => expect(slow.receiver.events()).toHaveLength(1))
    slow.release()
    await eventually(async () => {
      await replica.round()
      expect(slow.receiver.events()).toHaveLength(3)
    })
    await replica.settle()
    // The first delivery lasted as long as the test, so its hook is slow.
    expect((await isSlow()).filter(({ is_slow: one }) => !one).length).toBeGreaterThanOrEqual(2)
  })

  test('are given to the first hook of each tenant before the second one of any', async () => {
    const [many, one] = [await openReceiver(), await openReceiver()]
    const [tenant, other] = [await newTenant(), await newTenant()]
    await hooksOf(tenant, many.url, 5)
    await hookOf(other.admin, one.url)
    await hearOne(tenant)
    await hearOne(other)
    const replica = replicaWith({ quick: 2, slow: 1 })
    await replica.round()
    await replica.settle()
    expect([many.events().length, one.events().length]).toEqual([1, 1])
  })
})

describe('the chain behind a hook', () => {
  /** Seals the waiting records with a date so old that retention deletes them. */
  const sealAsOld = async ({ id }: { id: string }): Promise<void> => {
    await asOwner(sql`
    update audit_logs set created_at = now() - interval '200 days'
    where tenant_id = ${id} and id in (select id from audit_unsealed where tenant_id = ${id})`)
    await sealRecords(id)
  }

  test('webhook.gap says how many records expired before they were delivered', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    await sealAsOld(tenant)
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one', 'two', 'three')
    await sealAsOld(tenant)
    ok(await tenant.admin.put('/settings/tenant/audit.retention_days', { value: 30 }))
    await sealRecords(tenant.id)
    await expireAuditLogs(systemCtx(parts, 'test'), countMissed)
    const ids = await happen(tenant, 'four')
    await deliver(tenant)
    const [gap, next] = receiver.events().map(({ event }) => event)
    // The lost records: the creation of the hook, its verification, and three notifications.
    expect(gap).toMatchObject({
      type: 'webhook.gap',
      data: { resource_id: String(hook.id), detail: { records: { from: 5, to: 0 } } },
    })
    expect(next?.data.resource_id).toBe(String(ids[0]))
    const rows = await deliveriesOf(tenant.admin, hook)
    expect(rows.map(({ event, event_id: id }) => [event, id > 0])).toEqual([
      ['notification.create', true],
      ['webhook.gap', false],
    ])
  })

  test('webhook.gap tells a hook of all tenants how many records of any tenant expired', async () => {
    const receiver = await openReceiver()
    const root = await platformAdmin()
    const tenants = [await newTenant(), await newTenant()]
    for (const tenant of tenants) {
      ok(await tenant.admin.put('/settings/tenant/audit.retention_days', { value: 30 }))
      await sealAsOld(tenant)
    }
    const [one, other] = tenants as [Tenant, Tenant]
    const fields = { events: ['notification.create'], all_tenants: true }
    const hook = await hookOf(root, receiver.url, fields)
    await happen(one, 'one', 'two')
    await happen(other, 'three')
    for (const tenant of tenants) {
      await sealAsOld(tenant)
      // Retention always keeps the last seal of a chain, so another record must follow.
      await happen(tenant, 'kept')
      await sealRecords(tenant.id)
    }
    await expireAuditLogs(systemCtx(parts, 'test'), countMissed)
    receiver.behave(answering(500))
    await deliver(builtInTenant)
    receiver.behave(taking)
    clock.advance(5001)
    await deliver(builtInTenant)
    // Other tests' tenants can send events to the same receiver.
    const heard = () =>
      receiver.events().filter(({ event: { type, data } }) => {
        return type === 'webhook.gap' || [one.id, other.id].includes(data.tenant_id)
      })
    const [failed, gap, ...others] = heard()
    expect(gap?.event).toMatchObject({
      type: 'webhook.gap',
      data: { resource_id: String(hook.id), detail: { records: { from: 3, to: 0 } } },
    })
    expect(gap?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
    expect(others.map(({ event }) => [event.type, event.data.tenant_id])).toEqual([
      ['notification.create', one.id],
      ['notification.create', other.id],
    ])
    await happen(one, 'later')
    await sealRecords(one.id)
    await deliver(builtInTenant)
    expect(heard().slice(4)).toMatchObject([{ event: { type: 'notification.create' } }])
    ok(await root.delete(`/webhooks/${hook.id}`))
  })

  const retain = (tenant: Tenant) => tenant.admin.put('/settings/tenant/audit.retention_days', { value: 30 })

  /** Seals one record, and makes retention delete the earlier records. */
  const expire = async (tenant: Tenant): Promise<void> => {
    await happen(tenant, 'kept')
    await sealRecords(tenant.id)
    await expireAuditLogs(systemCtx(parts, 'test'), countMissed)
  }

  const gapsIn = (receiver: Awaited<ReturnType<typeof openReceiver>>) =>
    receiver.events().flatMap(({ event: { type, data } }) => (type === 'webhook.gap' ? [data] : []))

  test('webhook.gap leaves out what was delivered of a seal before it expired', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    ok(await retain(tenant))
    await sealAsOld(tenant)
    await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one', 'two', 'three')
    await sealAsOld(tenant)
    receiver.behave((request, response, one) =>
      heardBy(receiver).length > 1 ? answering(500)(request, response, one) : taking(request, response, one),
    )
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual(ids.slice(0, 2))
    await expire(tenant)
    receiver.behave(taking)
    clock.advance(5001)
    await deliver(tenant)
    expect(gapsIn(receiver)).toMatchObject([{ detail: { records: { from: 2, to: 0 } } }])
  })

  test('webhook.gap leaves out imported records', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    ok(await retain(tenant))
    await happen(tenant, 'elsewhere')
    await sealAsOld(tenant)
    const { items } = ok(await tenant.admin.get('/audit/logs'))
    const hook = await hookOf(tenant.admin, receiver.url)
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from: '2020-01-01T00:00:00Z' }))
    await sealAsOld(tenant)
    await asOwner(sql`update tenants set imported_to = ${items[0].id} where id = ${tenant.id}`)
    await expire(tenant)
    await deliver(tenant)
    // The lost records: the creation of the hook, its verification, and the replay.
    expect(gapsIn(receiver)).toMatchObject([{ detail: { records: { from: 3, to: 0 } } }])
  })

  test('webhook.gap of a tenant counts none of another one', async () => {
    const receiver = await openReceiver()
    const [tenant, other] = [await newTenant(), await newTenant()]
    await hookOf(tenant.admin, receiver.url)
    ok(await retain(other))
    await sealAsOld(other)
    await expire(other)
    const ids = await happen(tenant, 'one')
    await deliver(tenant)
    expect([gapsIn(receiver), heardBy(receiver)]).toEqual([[], ids])
  })

  test('imported records are never delivered, by a replay either', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    await happen(tenant, 'elsewhere')
    await sealRecords(tenant.id)
    const { items } = ok(await tenant.admin.get('/audit/logs'))
    await asOwner(sql`update tenants set imported_to = ${items[0].id} where id = ${tenant.id}`)
    const hook = await hookOf(tenant.admin, receiver.url)
    expect((await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from_id: items[0].id })).status).toBe(
      404,
    )
    ok(await tenant.admin.post(`/webhooks/${hook.id}/replay`, { from: '2020-01-01T00:00:00Z' }))
    const ids = await happen(tenant, 'here')
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual(ids)
  })

  test('a disabled tenant holds its place', async () => {
    const receiver = await openReceiver()
    const tenant = await newTenant()
    const root = await platformAdmin()
    await hookOf(tenant.admin, receiver.url)
    const ids = await happen(tenant, 'one')
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual([])
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 1 }))
    await deliver(tenant)
    expect(heardBy(receiver)).toEqual(ids)
  })

  test('a hook of all tenants hears every tenant in order, and the deletion of one; others hear their own alone', async () => {
    const all = await openReceiver()
    const own = await openReceiver()
    const root = await platformAdmin()
    const [one, other] = [await newTenant(), await newTenant()]
    await sealRecords(builtInTenant.id)
    const [creation] = ok(await root.get('/audit/logs?action=tenant.create')).items
    const hook = await hookOf(root, all.url, {
      events: ['notification.create', 'tenant.delete'],
      all_tenants: true,
    })
    await hookOf(one.admin, own.url)
    const first = await happen(one, 'a')
    const second = await happen(other, 'b')
    const third = await happen(one, 'c')
    await Promise.all([one, other].map(({ id }) => sealRecords(id)))
    await deliver(builtInTenant)
    const heardIn = (tenantId: string) =>
      all
        .events()
        .flatMap(({ event }) => (event.data.tenant_id === tenantId ? Number(event.data.resource_id) : []))
    expect(heardIn(one.id)).toEqual([...first, ...third])
    expect(heardIn(other.id)).toEqual(second)
    await deliver(one)
    expect(heardBy(own)).toEqual([...first, ...third])
    ok(await root.delete(`/org/tenants/${other.id}`))
    await deliver(builtInTenant)
    const last = all.events().at(-1)?.event
    expect([last?.type, last?.data.resource_id]).toEqual(['tenant.delete', other.id])
    ok(await root.post(`/webhooks/${hook.id}/replay`, { from_id: creation.id }))
    await deliver(builtInTenant)
    expect(heardIn(one.id).slice(2)).toEqual([...first, ...third])
    ok(await root.delete(`/webhooks/${hook.id}`))
  })

  test('two replicas share the tenants: each record is delivered once', async () => {
    const receiver = await openReceiver()
    const tenants = await Promise.all([newTenant(), newTenant(), newTenant()])
    const wanted: number[] = []
    for (const tenant of tenants) {
      await hookOf(tenant.admin, receiver.url)
      wanted.push(...(await happen(tenant, 'one', 'two')))
      await sealRecords(tenant.id)
    }
    const replica = createDeliverer(systemCtx(parts, 'other'))
    for (let round = 0; round < 3; round += 1) await Promise.all([deliverer.round(), replica.round()])
    await Promise.all([deliverer.settle(), replica.settle()])
    expect(heardBy(receiver).toSorted((a, b) => a - b)).toEqual(wanted)
    await replica.stop()
  })

  test('a tenant that is removed takes hooks, deliveries and secrets along', async () => {
    const receiver = await openReceiver()
    const root = await platformAdmin()
    const tenant = await newTenant()
    await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'one')
    await deliver(tenant)
    ok(await root.delete(`/org/tenants/${tenant.id}`))
    const count = async () => {
      const [row] = await ownerRows<{ count: number }>(sql`
      select (select count(*) from webhooks where tenant_id = ${tenant.id})
        + (select count(*) from webhook_deliveries where tenant_id = ${tenant.id})
        + (select count(*) from webhook_leases where tenant_id = ${tenant.id})
        + (select count(*) from webhook_secrets where webhook_tenant_id = ${tenant.id}) as count`)
      return row?.count
    }
    await expect.poll(count, { timeout: 10_000 }).toBe(0)
  })

  test.each([
    ['a seal was deleted', sql`delete from audit_seals`, /: seal \d+ was removed(, in tenant .*)?$/],
    ['a seal was rewritten', sql`update audit_seals set statement = 'a.b.c'`, /: seal \d+ /],
  ])(
    '%s in the middle of what waits: the hook is disabled, and nothing behind it is sent',
    async (_, change, reason) => {
      const receiver = await openReceiver()
      const tenant = await newTenant()
      const root = await platformAdmin()
      const hook = await hookOf(tenant.admin, receiver.url)
      const fields = { events: ['notification.*'], all_tenants: true }
      const all = await hookOf(root, receiver.url, fields)
      await sealRecords(tenant.id)
      for (const title of ['one', 'two', 'three']) {
        await happen(tenant, title)
        await sealRecords(tenant.id)
      }
      await asOwner(sql`${change} where tenant_id = ${tenant.id} and sequence = (
      select max(sequence) - 1 from audit_seals where tenant_id = ${tenant.id})`)
      await deliver(tenant)
      await deliver(builtInTenant)
      expect(receiver.events()).toEqual([])
      for (const one of [await hookNow(tenant.admin, hook), await hookNow(root, all)]) {
        expect(one).toMatchObject({ status: 0, disabled_reason: expect.stringMatching(reason) })
      }
      ok(await root.delete(`/webhooks/${all.id}`))
    },
  )

  // This test must be the last: a replay of a hook of all tenants would read this broken chain.
  test('a broken chain disables the hooks that read it, with the reason, and another one goes on behind it', async () => {
    const receiver = await openReceiver()
    const root = await platformAdmin()
    const tenant = await newTenant()
    const hook = await hookOf(tenant.admin, receiver.url)
    const fields = { events: ['notification.*'], all_tenants: true }
    const all = await hookOf(root, receiver.url, fields)
    const [first = 0] = await happen(tenant, 'one', 'two')
    await alterRecord(tenant, first)
    await deliver(builtInTenant)
    expect(receiver.events()).toEqual([])
    const reason = 'The audit chain is broken: record \\d+ was changed'
    expect(await hookNow(tenant.admin, hook)).toMatchObject({
      status: 0,
      disabled_reason: expect.stringMatching(new RegExp(`^${reason}$`)),
    })
    expect(await hookNow(root, all)).toMatchObject({
      status: 0,
      disabled_reason: expect.stringMatching(new RegExp(`^${reason}, in tenant ${tenant.id}$`)),
    })
    // The webhook is the built-in tenant's, so its managers are told, and not those of the tenant of the record.
    const told = await ownerRows<{ tenant_id: string }>(sql`
      select distinct tenant_id from notifications where about = ${`webhook ${all.id}`}`)
    expect(told).toContainEqual({ tenant_id: root.tenantId })
    expect(told).not.toContainEqual({ tenant_id: tenant.id })
    const next = await hookOf(root, receiver.url, fields)
    const ids = await happen(tenant, 'three')
    await sealRecords(tenant.id)
    await deliver(builtInTenant)
    expect(heardBy(receiver)).toEqual(ids)
    for (const { id } of [all, next]) ok(await root.delete(`/webhooks/${id}`))
  })
})
