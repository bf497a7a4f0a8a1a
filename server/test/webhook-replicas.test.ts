/** Three replicas as processes deliver for one hook: two are killed in the middle, and the third is cut off from Redis. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, start, type Stores } from './programs.ts'
import { data } from './replies.ts'
import { startReceiver, taking, type Receiver } from '../../lab/receiver.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const password = 'correct horse battery'
const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined

const events = 75
/** The receiver answers after this time: all of them take a quarter of a minute. */
const answerMs = 200
/** As long as a busy machine needs. Usually another replica continues after 6 seconds. */
const aWhile = { timeout: 120_000, interval: 50 }

describe.runIf(isOnServices)('three replicas', () => {
  let stores: Stores
  let proxy: TcpProxy
  let receiver: Receiver
  beforeAll(async () => {
    stores = await createStores()
    const redis = new URL(stores.env['REDIS_URL'] ?? '')
    proxy = await startTcpProxy(Number(redis.port || 6379), redis.hostname)
    receiver = await startReceiver((request, response, one) => {
      setTimeout(() => taking(request, response, one), answerMs)
    })
  })
  afterAll(async () => {
    endAll()
    proxy.close()
    await receiver.stop()
    await stores.remove()
  })

  const heard = () => receiver.events().map(({ event }) => Number(event.data.resource_id))
  const startOne = (env: Record<string, string> = {}): Promise<Replica> =>
    start({ ...stores.env, TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', ...env })

  /** Waits for so many deliveries more. */
  const more = async (count: number): Promise<void> => {
    const wanted = Math.min(heard().length + count, events)
    await expect.poll(() => heard().length, aWhile).toBeGreaterThanOrEqual(wanted)
  }

  test(
    'deliver every record in order, although two are killed and one has no Redis',
    { timeout: 600_000 },
    async () => {
      const one = await startOne()
      const account = { email: 'root@example.com', username: 'root', password }
      const { access_token: token } = data(await ask(one, 'POST /auth/register', { body: account }))
      const { id: userId } = data(await ask(one, 'GET /profile', { token }))
      const body = { url: receiver.url, events: ['notification.create'] }
      const hook = data(await ask(one, 'POST /webhooks', { token, body }))
      data(await ask(one, `POST /webhooks/${hook.id}/test`, { token }))
      const tenant = '00000000-0000-4000-8000-000000000001'
      const ids: number[] = []
      for (let count = 0; count < events; count += 1) {
        const note = { user_id: userId, title: `${count}` }
        ids.push(data(await ask(one, 'POST /notifications', { token, tenant, body: note })).id)
      }
      await more(1)
      const [other, cutOff] = await Promise.all([
        startOne(),
        startOne({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }),
      ])
      proxy.cut()
      for (const dying of [one, other]) {
        await more(10)
        await dying.end('SIGKILL')
        await more(10)
      }
      await expect.poll(() => new Set(heard()).size, aWhile).toBe(events)
      const firsts = heard().filter((id, at, all) => all.indexOf(id) === at)
      expect(firsts).toEqual(ids)
      // Deliveries that a killed replica had not stored were sent again, under the same ids.
      const names = receiver
        .events()
        .map(({ headers, event }) => [headers['webhook-id'], event.data.resource_id].join(' '))
      expect(new Set(names).size).toBe(events)
      const stored = async (): Promise<{ status: string }[]> =>
        data(await ask(cutOff, `GET /webhooks/${hook.id}/deliveries?page_size=200`, { token })).items
      // The last of them are stored half a second later.
      await expect.poll(async () => (await stored()).length, aWhile).toBe(events)
      expect(new Set((await stored()).map(({ status }) => status))).toEqual(new Set(['delivered']))
    },
  )
})
