import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  auditRecords,
  builtIn,
  countAuditRecords,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  type Tenant,
} from '../../../../test/factories.ts'
import { clock, startApp } from '../../../../test/harness.ts'
import { startReceiver, type Receiver } from '../../../../../lab/receiver.ts'
import { createSecrets } from '../../../crypto/secrets.ts'

let tenant: Tenant
beforeAll(async () => {
  tenant = await newTenant()
})

const receivers: Receiver[] = []
const open = async (): Promise<Receiver> => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

const input = { url: 'https://example.com/hook?key=hidden', events: ['user.*'] }

describe('a webhook', () => {
  test('is created, read, changed and deleted, and each change leaves one record that shows no path of the URL', async () => {
    const made = ok(await tenant.admin.post('/webhooks', { ...input, description: 'Billing' }))
    expect(made).toMatchObject({
      ...input,
      description: 'Billing',
      status: 1,
      all_tenants: false,
      tenant_id: tenant.id,
      last_delivered_at: '',
    })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret: _, ...shown } = made
    expect(ok(await tenant.admin.get(`/webhooks/${made.id}`))).toEqual({
      ...shown,
      backlog: expect.any(Number),
    })
    expect(ok(await tenant.admin.get('/webhooks'))).toHaveLength(1)
    const changed = ok(
      await tenant.admin.put(`/webhooks/${made.id}`, { events: ['*'], url: 'https://example.com/other' }),
    )
    expect(changed).toMatchObject({ url: 'https://example.com/other', events: ['*'], description: 'Billing' })
    const before = await countAuditRecords(tenant.id)
    ok(await tenant.admin.put(`/webhooks/${made.id}`, { events: ['*'] }))
    expect(await countAuditRecords(tenant.id)).toBe(before)
    ok(await tenant.admin.delete(`/webhooks/${made.id}`))
    expect((await tenant.admin.get(`/webhooks/${made.id}`)).status).toBe(404)
    const records = await auditRecords(tenant.id, 'webhook', made.id)
    expect(records.map(({ action }) => action)).toEqual([
      'webhook.delete',
      'webhook.update',
      'webhook.create',
    ])
    expect(JSON.stringify(records)).not.toMatch(/hidden|other|whsec/)
    expect(records[1]?.detail).toEqual({
      url: { from: 'https://example.com', to: 'https://example.com' },
      events: { from: ['user.*'], to: ['*'] },
    })
  })

  test.each([
    [{ url: 'https://user@example.com/' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
    [{ url: 'https://:pass@example.com/' }, 'url'],
    [{ url: 'https://example.com@10.0.0.1/' }, 'url'],
    [{ url: 'https:\\\\user@example.com' }, 'url'],
    [{ url: ' https://user@example.com/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'example.com' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['user.fly'] }, 'events.0'],
    [{ events: ['*', 'users.*'] }, 'events.1'],
    [{ events: ['user.'] }, 'events.0'],
    [{ events: Array(51).fill('*') }, 'events'],
    [{ all_tenants: true }, 'all_tenants'],
  ])('a webhook with %j is refused', async (fields, field) => {
    const { status, data } = await tenant.admin.post('/webhooks', { ...input, ...fields })
    expect([status, data.errors[0].field]).toEqual([400, field])
    if ('all_tenants' in fields) return
    const { id } = ok(await tenant.admin.post('/webhooks', input))
    const change = await tenant.admin.put(`/webhooks/${id}`, fields)
    expect([change.status, change.data.errors[0].field]).toEqual([400, field])
    ok(await tenant.admin.delete(`/webhooks/${id}`))
  })

  test('takes https alone in production', async () => {
    const at = await startApp({ isProduction: true })
    const { status } = await tenant.admin.post('/webhooks', { ...input, url: 'http://example.com/' }, { at })
    expect(status).toBe(400)
    await at.app.close()
  })

  test('is the 20th of a tenant at most', async () => {
    const full = await newTenant()
    for (let count = 0; count < 20; count += 1) ok(await full.admin.post('/webhooks', input))
    const { status, body } = await full.admin.post('/webhooks', input)
    expect([status, body.code]).toEqual([400, 40028])
  })

  test('is set up with webhook:manage and audit:read alone, and read with webhook:read', async () => {
    const half = await tenant.userWith('webhook:manage')
    const whole = await tenant.userWith('webhook:manage', 'audit:read')
    const reader = await tenant.userWith('webhook:read')
    const { id } = ok(await whole.post('/webhooks', input))
    const changes: [string, unknown][] = [
      ['/webhooks', input],
      [`/webhooks/${id}/secret`, {}],
      [`/webhooks/${id}/test`, undefined],
      [`/webhooks/${id}/replay`, { from: '2026-01-01T00:00:00Z' }],
    ]
    for (const caller of [half, reader]) {
      for (const [path, body] of changes) {
        const answer = await caller.post(path, body)
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 40301])
      }
      expect((await caller.put(`/webhooks/${id}`, { status: 0 })).status).toBe(403)
      expect((await caller.delete(`/webhooks/${id}`)).status).toBe(403)
    }
    expect((await reader.get(`/webhooks/${id}`)).status).toBe(200)
    expect((await reader.get(`/webhooks/${id}/deliveries`)).status).toBe(200)
    expect((await half.get('/webhooks')).status).toBe(403)
  })

  test('a webhook of all tenants is created in the built-in tenant, with tenant:enter', async () => {
    const root = await platformAdmin()
    const half = await builtIn.userWith('webhook:manage', 'audit:read', 'webhook:read')
    const { id, ...hook } = ok(await root.post('/webhooks', { ...input, all_tenants: true }))
    expect(hook).toMatchObject({ all_tenants: true, backlog: 0 })
    expect((await half.post('/webhooks', { ...input, all_tenants: true })).status).toBe(403)
    expect((await half.put(`/webhooks/${id}`, { status: 0 })).status).toBe(403)
    expect((await half.post(`/webhooks/${id}/test`)).status).toBe(403)
    expect((await half.delete(`/webhooks/${id}`)).status).toBe(403)
    expect((await half.get(`/webhooks/${id}`)).status).toBe(200)
    ok(await root.delete(`/webhooks/${id}`))
  })

  test('signs by both secrets after a rotation, never by more than two, and by one when the old one has ended', async () => {
    const receiver = await open()
    // An access token would expire before the secrets, so the caller has a key.
    const caller = await keyWith(tenant.id, ['webhook:manage', 'audit:read'])
    const { id, secret } = ok(await caller.post('/webhooks', { ...input, url: receiver.url }))
    const secrets = [secret]
    const rotate = async (body: { keep_old_hours?: number }) =>
      secrets.push(ok(await caller.post(`/webhooks/${id}/secret`, body)).secret)
    /** The indexes of the secrets whose signatures of a delivery are right. */
    const verifying = async () => {
      ok(await caller.post(`/webhooks/${id}/test`))
      const { text = '', headers = {} } = receiver.received.at(-1) ?? {}
      // The library compares with the present time. The tests' clock is ahead of it.
      vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
      onTestFinished(() => void vi.useRealTimers())
      const isBy = (one: string) => {
        try {
          new Verifier(one).verify(text, headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      }
      const found = secrets.flatMap((one, at) => (isBy(one) ? [at] : []))
      vi.useRealTimers()
      expect(String(headers['webhook-signature']).split(' ')).toHaveLength(found.length)
      return found
    }
    const hour = 3_600_000
    expect(await verifying()).toEqual([0])
    await rotate({})
    expect(await verifying()).toEqual([0, 1])
    clock.advance(24 * hour - 60_000)
    expect(await verifying()).toEqual([0, 1])
    clock.advance(60_000)
    expect(await verifying()).toEqual([1])
    await rotate({ keep_old_hours: 2 })
    await rotate({ keep_old_hours: 1 })
    expect(await verifying()).toEqual([2, 3])
    clock.advance(hour)
    expect(await verifying()).toEqual([3])
    await rotate({ keep_old_hours: 0 })
    clock.advance(1)
    expect(await verifying()).toEqual([4])
    clock.offsetMs = 0
    const records = await auditRecords(tenant.id, 'webhook', id)
    expect(records.map(({ action }) => action)).toContain('webhook.rotate_secret')
    expect(JSON.stringify(records)).not.toContain('whsec_')
  })

  test.each([-1, 25, 1.5, '2'])(
    'keeps an old secret for 0 to 24 whole hours: %j is refused',
    async (hours) => {
      const { id } = ok(await tenant.admin.post('/webhooks', input))
      const { status, data } = await tenant.admin.post(`/webhooks/${id}/secret`, { keep_old_hours: hours })
      expect([status, data.errors[0].field]).toEqual([400, 'keep_old_hours'])
    },
  )

  test('tells why a test reached nobody, and names no private address', async () => {
    const { id } = ok(await tenant.admin.post('/webhooks', { ...input, url: 'http://10.1.2.3/' }))
    expect(ok(await tenant.admin.post(`/webhooks/${id}/test`))).toMatchObject({
      status: 0,
      error: 'the host has an address that is not public',
      answer: '',
    })
  })

  test('needs a secret key', async () => {
    const at = await startApp({}, undefined, { secrets: createSecrets([]) })
    const { status, body } = await tenant.admin.post('/webhooks', input, { at })
    expect([status, body.code]).toEqual([503, 50304])
    await at.app.close()
  })
})
