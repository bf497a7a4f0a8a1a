/** Streams of one replica hear of changes that another one makes, with Redis and without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream, type OpenStream } from './event-streams.ts'
import { query } from '../../lab/databases.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { data } from './replies.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const password = 'correct horse battery'
const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
const tenantId = '00000000-0000-4000-8000-000000000001'

interface Person {
  token: string
  tenantId: string
  userId: number
}

describe.runIf(isOnServices)('a stream at one replica', () => {
  let stores: Stores
  let proxy: TcpProxy
  let listening: Replica
  let changing: Replica
  let root: Person

  const person = async (name: string): Promise<Person> => {
    const account = { email: `${name}@example.com`, username: name, password }
    const { access_token: token } = data(await ask(listening, 'POST /auth/register', { body: account }))
    const { id: userId } = data(await ask(listening, 'GET /profile', { token }))
    return { token, tenantId, userId }
  }
  const byRoot = (at: Replica, endpoint: string, body?: unknown) =>
    ask(at, endpoint, { token: root.token, tenant: tenantId, body })
  const lastOf = async (stream: OpenStream): Promise<unknown> => {
    await stream.ended
    return stream.events.at(-1)
  }
  /** As if the person had followed a mailed link, without which an invitation links no account that exists. */
  const proveMailbox = async ({ userId }: Person): Promise<void> => {
    await query(
      stores.env['DATABASE_URL'] ?? '',
      `update accounts set proved_email = email
       where id = (select account_id from users where tenant_id = $1 and id = $2)`,
      [tenantId, userId],
    )
  }
  const signedOut = { event: 'end', id: undefined, data: { reason: 'signed_out' } }

  beforeAll(async () => {
    stores = await createStores()
    const redis = new URL(stores.env['REDIS_URL'] ?? '')
    proxy = await startTcpProxy(Number(redis.port || 6379), redis.hostname)
    listening = await start(stores.env)
    root = await person('root')
    redis.hostname = '127.0.0.1'
    redis.port = String(proxy.port)
    changing = await start({ ...stores.env, REDIS_URL: redis.href })
  })
  afterAll(async () => {
    endAll()
    proxy.close()
    await stores.remove()
  })

  test('rings for a notification that another one sends, and ends with a session that another one ends', async () => {
    const user = await person('ada')
    const stream = await openStream(user, { at: listening })
    const sent = data(await byRoot(changing, 'POST /notifications', { user_id: user.userId, title: 'Hello' }))
    const { data: rung } = await stream.heard('notification')
    expect(rung).toEqual({ notification: sent, unread_count: 1 })
    data(await ask(changing, 'POST /auth/logout', { token: user.token }))
    expect(await lastOf(stream)).toEqual(signedOut)
  })

  test('hears changes of another one, and ends with its user, while that one has no Redis', async () => {
    const user = await person('grace')
    const [stream, control] = await Promise.all([user, root].map((one) => openStream(one, { at: listening })))
    proxy.cut()
    const after = { status: 0 }
    data(await byRoot(changing, `PUT /users/${user.userId}`, after))
    expect(await lastOf(stream as OpenStream)).toEqual(signedOut)
    const change = await control?.heard('change', ({ action }) => action === 'user.update')
    expect(change?.data.resource_id).toBe(String(user.userId))
  })

  test('ends with a session in another tenant than that of its account, while that one has no Redis', async () => {
    const user = await person('alan')
    await proveMailbox(user)
    const { id: elsewhere } = data(
      await byRoot(listening, 'POST /org/tenants', { name: 'Acme', slug: 'acme' }),
    )
    const invitation = { token: root.token, tenant: elsewhere, body: { email: 'alan@example.com' } }
    const { link } = data(await ask(listening, 'POST /invitations', invitation))
    const acceptance = { token: link.split('#token=')[1], username: 'alan' }
    data(await ask(listening, 'POST /auth/invitations/accept', { token: user.token, body: acceptance }))
    const there = data(
      await ask(listening, 'POST /auth/switch', { token: user.token, body: { tenant_id: elsewhere } }),
    )
    const stream = await openStream({ token: there.access_token, tenantId: elsewhere }, { at: listening })
    proxy.cut()
    const here = data(
      await ask(listening, 'POST /auth/login', { body: { email: 'alan@example.com', password } }),
    )
    const begunAt = performance.now()
    data(await ask(changing, 'DELETE /auth/sessions', { token: here.access_token }))
    expect(await lastOf(stream)).toEqual(signedOut)
    // Below the period in which every caller is read, 15 seconds.
    expect(performance.now() - begunAt).toBeLessThan(10_000)
  })
})

describe.runIf(isOnServices)('a stream at a replica without Redis', () => {
  let stores: Stores
  afterAll(async () => {
    endAll()
    await stores.remove()
  })

  test('ends with its session, although nobody tells', async () => {
    stores = await createStores()
    const { REDIS_URL: _, ...env } = stores.env
    const [listening, changing] = [await start(env), await start(env)]
    const account = { email: 'root@example.com', username: 'root', password }
    const { access_token: token } = data(await ask(listening, 'POST /auth/register', { body: account }))
    const stream = await openStream({ token, tenantId }, { at: listening })
    data(await ask(changing, 'POST /auth/logout', { token }))
    await stream.ended
    expect(stream.events.at(-1)?.data).toEqual({ reason: 'signed_out' })
  })
})
