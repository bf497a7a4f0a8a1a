import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, type Listener } from '../../../../../../lab/receiver.ts'
import { newTenant, ok, platformAdmin, type Tenant } from '../../../../../test/factories.ts'
import {
  changeApplication,
  claimsOf,
  credentialsOf,
  newApplication,
  openSession,
  postForm,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { call, clock, parts, service } from '../../../../../test/harness.ts'
import { eventually } from '../../../../../test/waits.ts'
import { purgeRemovedTenants } from '../../../tenancy/tenants/purge.service.ts'
import { createLogoutSender } from './backchannel.service.ts'

interface Receiver extends Listener {
  /** The logout tokens that the receiver got. */
  tokens: string[]
}

const receivers: Listener[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.stop()))
})

/** A receiver of logout tokens that answers with a status. With status 0 it never answers. */
const startReceiver = async (status: () => number = () => 200): Promise<Receiver> => {
  const tokens: string[] = []
  const listener = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      tokens.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '')
      if (status() > 0) response.writeHead(status()).end()
    })
  })
  receivers.push(listener)
  return { ...listener, tokens }
}

const sender = createLogoutSender(parts)

/** Sends all due logout tokens. */
const sendAll = async (): Promise<void> => {
  while ((await sender.round()) > 0) await sender.settle()
}

const listening = ({ url }: Receiver): Promise<TestApplication> =>
  newApplication({ backchannel_logout_uri: `${url}/logout` })

describe('a logout token', () => {
  test('tells user and session, signed by a published key, and is no access token', async () => {
    const receiver = await startReceiver()
    const application = await listening(receiver)
    const { admin } = await newTenant()
    const tokens = await openSession(admin, application)
    await postForm('/revoke', { ...credentialsOf(application), token: tokens.access_token })
    await sendAll()
    const [token = ''] = receiver.tokens
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(token, keys, { audience: application.clientId })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
    expect(payload).toEqual({
      iss: parts.config.issuer,
      aud: application.clientId,
      sub: String(admin.userId),
      sid: claimsOf(tokens.access_token)['sid'],
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 120,
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect((await call('GET', '/ping', { token })).status).toBe(401)
    expect((await postForm('/userinfo', { access_token: token })).status).toBe(401)
  })

  type Act = (
    tenant: Tenant,
    user: Awaited<ReturnType<Tenant['member']>>,
    application: TestApplication,
  ) => Promise<unknown>
  const root = platformAdmin()

  test.each<[string, Act]>([
    ['the person ends all sessions', (_, user) => user.delete('/auth/sessions')],
    [
      'the person changes the password',
      (_, user) =>
        user.post('/password', {
          old_password: 'correct horse battery',
          new_password: 'another horse battery',
        }),
    ],
    [
      'an administrator ends the sessions',
      ({ admin }, { userId }) => admin.delete(`/users/${userId}/sessions`),
    ],
    ['the user is disabled', ({ admin }, { userId }) => admin.put(`/users/${userId}`, { status: 0 })],
    ['the user is deleted', ({ admin }, { userId }) => admin.delete(`/users/${userId}`)],
    ['the application is disabled', (_, __, application) => changeApplication(application, { status: 0 })],
    [
      'the application is deleted',
      async (_, __, { id }) => ok(await (await root).delete(`/applications/${id}`)),
    ],
    [
      'the tenant is deleted',
      async ({ id }) => {
        ok(await (await root).delete(`/org/tenants/${id}`))
        await purgeRemovedTenants(parts)
      },
    ],
  ])('is sent when %s', async (_, act) => {
    const receiver = await startReceiver()
    const application = await listening(receiver)
    const tenant = await newTenant()
    const user = await tenant.member()
    const { access_token: token } = await openSession(user, application)
    await act(tenant, user, application)
    await sendAll()
    expect(receiver.tokens.map((one) => claimsOf(one)['sid'])).toEqual([claimsOf(token)['sid']])
  })

  test('is sent neither at the end by time, nor for a disabled tenant', async () => {
    const receiver = await startReceiver()
    const application = await listening(receiver)
    const { admin, id } = await newTenant()
    await openSession(admin, application)
    ok(await (await root).put(`/org/tenants/${id}`, { status: 0 }))
    clock.advance(40 * 86_400_000)
    await sendAll()
    expect(receiver.tokens).toEqual([])
  })

  test('is signed anew at each attempt, after 5 s, 30 s, 2 and 10 minutes, and then given up', async () => {
    const receiver = await startReceiver(() => 500)
    const application = await listening(receiver)
    const { admin } = await newTenant()
    await openSession(admin, application)
    ok(await admin.delete('/auth/sessions'))
    const counts: number[] = []
    for (const seconds of [0, 4, 1, 29, 1, 119, 1, 599, 1, 3600]) {
      clock.advance(seconds * 1000)
      await sendAll()
      counts.push(receiver.tokens.length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    expect(new Set(receiver.tokens.map((token) => claimsOf(token)['jti'])).size).toBe(5)
  })

  test('waits for no slow receiver of another application', async () => {
    const [slow, quick] = [await startReceiver(() => 0), await startReceiver()]
    const [stuck, application] = [await listening(slow), await listening(quick)]
    const { admin } = await newTenant()
    for (let left = 20; left > 0; left -= 1) await openSession(admin, stuck)
    await openSession(admin, application)
    ok(await admin.delete('/auth/sessions'))
    const rounds = [await sender.round(), await sender.round()]
    await eventually(() => expect(quick.tokens).toHaveLength(1))
    await eventually(() => expect(slow.tokens).toHaveLength(4))
    expect(rounds[0]).toBe(5)
    await slow.stop()
    receivers.splice(receivers.indexOf(slow), 1)
    await sender.settle()
  })

  test('is due at once for another replica when its own stops in the middle of an attempt', async () => {
    let status = 0
    const receiver = await startReceiver(() => status)
    const application = await listening(receiver)
    const { admin } = await newTenant()
    await openSession(admin, application)
    ok(await admin.delete('/auth/sessions'))
    const stopping = createLogoutSender(parts)
    await stopping.round()
    await eventually(() => expect(receiver.tokens).toHaveLength(1))
    await stopping.stop()
    status = 200
    await sendAll()
    expect(receiver.tokens).toHaveLength(2)
  })
})
