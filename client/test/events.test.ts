/** Subscriptions to the live stream: with the real service, and with scripted ones for what a healthy service does not do. */
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sealRecords } from '../../server/test/audit-chain.ts'
import { assign, keyWith, newTenant, ok, platformAdmin, signIn } from '../../server/test/factories.ts'
import { clock, parts, service, startApp } from '../../server/test/harness.ts'
import { eventually } from '../../server/test/waits.ts'
import { createClient, type Client, type SubscribeOptions } from '../src/client.ts'
import {
  answer,
  closeScripted,
  failure,
  fakeTime,
  hangUp,
  scriptedFetch,
  silence,
  type Script,
} from './scripted.ts'
import { accessTokenMs, gated, sharedStorage, signedIn, signInAs } from './signed-in.ts'

afterEach(closeScripted)

/** Subscribes until the end of the test, and notes all that the listeners hear. */
const listen = (client: Client, options: SubscribeOptions = {}) => {
  const heard: [string, any][] = []
  const note = (name: string) => (data: unknown) => void heard.push([name, data])
  const stream = client.events.subscribe({
    onOpen: note('open'),
    onLost: () => heard.push(['lost', {}]),
    onEnd: note('end'),
    onNotification: note('notification'),
    onUnread: note('unread'),
    onGap: () => heard.push(['gap', {}]),
    onPlace: note('place'),
    onAuthority: note('authority'),
    onChange: (data, lastEventId) => heard.push(['change', { ...data, lastEventId }]),
    ...options,
  })
  onTestFinished(() => stream.close())
  const of = (name: string): any[] => heard.filter(([one]) => one === name).map(([, data]) => data)
  return {
    stream,
    heard,
    of,
    /** But for places. */
    names: () => heard.map(([name]) => name).filter((name) => name !== 'place'),
    until: (name: string, fits: (data: any) => boolean = () => true) =>
      eventually(() => {
        const found = of(name).find(fits)
        if (found === undefined) throw new Error(`no ${name} among ${JSON.stringify(heard)}`)
        return found
      }),
    opened: (count = 1) => eventually(() => expect(of('open')).toHaveLength(count)),
  }
}

describe('a subscription', () => {
  test('hears notifications, counts, authority and changes, each by its listener', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const { client } = await signedIn(admin)
    const { until, opened, of } = listen(client)
    await opened()
    expect(of('open')).toEqual([{ isAgain: false }])
    const { id } = await client.notifications.create({ user_id: admin.userId, title: 'Grüße 😀' })
    const rung = await until('notification')
    expect(rung).toMatchObject({ notification: { id, title: 'Grüße 😀' }, unread_count: 1 })
    await client.notifications.markRead(id)
    expect(await until('unread')).toEqual({ count: 0 })
    await assign(tenant.id, admin.userId, (await tenant.role('role:read')).id)
    const own = await until('authority', ({ user_id: one }) => one !== 0)
    expect(own).toEqual({ tenant_id: tenant.id, user_id: admin.userId, session_id: '' })
    await client.settings.tenant.put('color', 1)
    await sealRecords(tenant.id)
    expect(await until('change', ({ resource_id: key }) => key === 'color')).toMatchObject({
      action: 'setting.create',
      tenant_id: tenant.id,
      lastEventId: expect.stringMatching(/^\d+\.\d+$/),
    })
  })

  test('hears the tenant in scope, or all tenants', async () => {
    const [root, one, two] = [await platformAdmin(), await newTenant(), await newTenant()]
    const { client } = await signedIn(root)
    const [inOne, everywhere] = [listen(client.inTenant(one.id)), listen(client, { allTenants: true })]
    await Promise.all([inOne.opened(), everywhere.opened()])
    for (const { id, admin } of [two, one]) {
      ok(await admin.put('/settings/tenant/here', { value: 1 }))
      await sealRecords(id)
    }
    const isHere = ({ resource_id: key }: { resource_id: string }) => key === 'here'
    await everywhere.until('change', (data) => isHere(data) && data.tenant_id === two.id)
    await everywhere.until('change', (data) => isHere(data) && data.tenant_id === one.id)
    await inOne.until('change', isHere)
    expect(inOne.of('change').every(({ tenant_id: id }) => id === one.id)).toBe(true)
  })

  test('renews the session when its token has expired, and continues', async () => {
    const { admin } = await newTenant()
    const { client, refreshes } = await signedIn(admin)
    const { opened, of, until, names } = listen(client)
    await opened()
    clock.advance(accessTokenMs + 1000)
    await opened(2)
    expect(names()).toEqual(['open', 'lost', 'open'])
    expect([of('open')[1], refreshes()]).toEqual([{ isAgain: true }, 1])
    await client.notifications.create({ user_id: admin.userId, title: 'Still there' })
    await until('notification')
  })

  test('ends when its session is over, and connects no more', async () => {
    const { admin } = await newTenant()
    const { client, paths } = await signedIn(admin)
    const { opened, until, names } = listen(client)
    await opened()
    ok(await (await signIn(admin)).delete('/auth/sessions'))
    expect(await until('end')).toEqual({ reason: 'signed_out', cause: undefined })
    expect(names()).not.toContain('lost')
    expect(paths).toEqual(['/api/v1/events/stream'])
  })

  test('ends when nobody is signed in, or the caller lacks what it needs', async () => {
    const nobody = listen(createClient({ baseUrl: service.url }))
    expect(await nobody.until('end')).toMatchObject({ reason: 'signed_out', cause: { status: 401 } })
    const { client } = await signedIn((await newTenant()).admin)
    const foreign = listen(client, { allTenants: true })
    expect(await foreign.until('end')).toMatchObject({ reason: 'not_allowed', cause: { status: 403 } })
    const key = await keyWith((await newTenant()).id, [])
    const byKey = listen(createClient({ baseUrl: service.url, accessToken: key.token }))
    await byKey.opened()
    ok(await (await platformAdmin()).delete(`/org/tenants/${key.tenantId}`))
    expect(await byKey.until('end')).toEqual({ reason: 'not_allowed', cause: undefined })
  })

  test('hears a change of a quiet tenant that falls into a reconnection, although it has heard none before', async () => {
    const { admin, id } = await newTenant()
    const stopping = new AbortController()
    const replica = await startApp({}, undefined, { stopping })
    const { client } = await signedIn(admin)
    let url = replica.url
    const moved: typeof fetch = (input, init) =>
      fetch((input as string).replace('https://admin.example.com', url), init)
    const { accessToken } = await signInAs(client, admin)
    const through = createClient({ baseUrl: 'https://admin.example.com', fetch: moved, accessToken })
    const { until, of } = listen(through)
    await until('place')
    url = 'http://127.0.0.1:1'
    stopping.abort()
    await until('lost')
    await client.settings.tenant.put('between', 1)
    await sealRecords(id)
    url = service.url
    await until('change', ({ resource_id: key }) => key === 'between')
    expect(of('gap')).toEqual([])
    await replica.app.close()
  })

  test('gets a gap after an unreadable id, and continues', async () => {
    const { admin, id } = await newTenant()
    const { client } = await signedIn(admin)
    const { until, of } = listen(client, { lastEventId: 'x' })
    await until('place')
    expect(of('gap')).toHaveLength(1)
    await client.settings.tenant.put('later', 1)
    await sealRecords(id)
    await until('change', ({ resource_id: key }) => key === 'later')
  })

  test('connects again when the service is back, and hears the changes between once and in order', async () => {
    const { admin, id } = await newTenant()
    const stopping = new AbortController()
    const replica = await startApp({}, undefined, { stopping })
    const { client } = await signedIn(admin)
    let url = replica.url
    const moved: typeof fetch = (input, init) =>
      fetch((input as string).replace('https://admin.example.com', url), init)
    const { accessToken } = await signInAs(client, admin)
    const through = createClient({ baseUrl: 'https://admin.example.com', fetch: moved, accessToken })
    const { opened, until, of } = listen(through)
    await opened()
    const put = async (key: string) => {
      await client.settings.tenant.put(key, 1)
      await sealRecords(id)
    }
    await put('first')
    await until('change', ({ resource_id: key }) => key === 'first')
    url = 'http://127.0.0.1:9'
    stopping.abort()
    await until('lost')
    await replica.app.close()
    await put('second')
    await put('third')
    url = service.url
    await opened(2)
    await until('change', ({ resource_id: key }) => key === 'third')
    const keys = of('change').filter(({ resource }) => resource === 'setting')
    expect(keys.map(({ resource_id: key }) => key)).toEqual(['first', 'second', 'third'])
  })

  test('a subscription of one user never continues with the session of another', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const storage = sharedStorage()
    const { client } = await signedIn(one.admin, { storage })
    const { opened, until } = listen(client)
    await opened()
    const tab = createClient({ baseUrl: service.url, storage })
    await signInAs(tab, other.admin)
    clock.advance(accessTokenMs + 1000)
    expect(await until('end')).toEqual({ reason: 'signed_out', cause: undefined })
  })

  test.each(['close', 'abort'])('is silent after %s, and the service has one stream less', async (how) => {
    const { admin } = await newTenant()
    const { client } = await signedIn(admin)
    const aborting = new AbortController()
    const open = async () => (await parts.metrics.streams.get()).values[0]?.value ?? 0
    const before = await open()
    const { stream, opened, names } = listen(client, { signal: aborting.signal })
    await opened()
    expect(await open()).toBe(before + 1)
    if (how === 'close') stream.close()
    else aborting.abort()
    await eventually(async () => expect(await open()).toBe(before))
    await client.notifications.create({ user_id: admin.userId, title: 'Unheard' })
    expect(names()).toEqual(['open'])
  })

  test('never begins with a signal that has aborted, and can be closed while it connects', async () => {
    const { client, paths } = await signedIn((await newTenant()).admin)
    const never = listen(client, { signal: AbortSignal.abort() })
    const { gate, isAsked, send } = gated()
    const slow = await signedIn((await newTenant()).admin, { fetch: send })
    clock.advance(accessTokenMs + 1000)
    const closed = listen(slow.client)
    await isAsked.promise
    closed.stream.close()
    gate.resolve(undefined)
    await slow.client.profile.get()
    expect([never.heard, closed.heard, paths]).toEqual([[], [], []])
  })
})

const begin: Script = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n')
}

const beginWith =
  (text: string): Script =>
  (response) => {
    begin(response)
    response.write(text)
  }

describe('a subscription to a service that fails', () => {
  /** In faked time, and without retries of the single request. */
  const start = (...scripts: Script[]) => {
    fakeTime()
    const { send, asked } = scriptedFetch(...scripts)
    const client = createClient({
      baseUrl: 'https://admin.example.com',
      accessToken: 'key',
      fetch: send,
      retries: 0,
    })
    return { asked, ...listen(client) }
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const live: Script = (response) => {
    begin(response)
    setInterval(() => response.write(':\n\n'), 20_000).unref()
  }

  test('connects again after 45 seconds without even a comment', async () => {
    let write: (text: string) => unknown = () => undefined
    const { asked, of, names } = start((response) => {
      begin(response)
      write = (text) => response.write(text)
    }, begin)
    await pass(44_000)
    write(':\n\n')
    await pass(44_000)
    expect([asked.length, names()]).toEqual([1, ['open']])
    await pass(1000)
    expect(names()).toEqual(['open', 'lost'])
    await pass(2000)
    expect([asked.length, of('open')[1]]).toEqual([2, { isAgain: true }])
  })

  test('waits as long as the service asks for', async () => {
    const { asked, opened } = start(failure(42901, { 'retry-after': '5' }), begin)
    await pass(4900)
    expect(asked).toHaveLength(1)
    await pass(4100)
    await opened()
    expect(asked).toHaveLength(2)
  })

  test.each<[string, Script]>([
    ['no answer', hangUp],
    ['a page of a proxy', answer(404, '<html>')],
    ['a page of a proxy in place of the stream', answer(200, '<html>', { 'content-type': 'text/html' })],
    ['503', failure(50301)],
    ['500', failure(50001)],
    ['no answer in time', silence],
  ])('connects again after %s', async (_, script) => {
    const { of } = start(script, script, live)
    await pass(100_000)
    expect(of('open')).toEqual([{ isAgain: false }])
    expect(of('end')).toEqual([])
  })

  test('connects less and less often while it is away', async () => {
    const { asked } = start(hangUp)
    await pass(600_000)
    // 30 seconds at most are 15 in the mean; each pause is random.
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.length).toBeLessThan(90)
  })

  test('asks a service without streams no more', async () => {
    const { asked, of } = start(failure(40401))
    await pass(100_000)
    expect(asked).toHaveLength(1)
    expect(of('end')).toMatchObject([{ reason: 'refused', cause: { status: 404 } }])
  })

  test('ignores events that it does not know, and connects again after one that is broken', async () => {
    const { of, names } = start(
      beginWith('event: later\ndata: {"a":1}\n\nevent: unread\ndata: {"count":3}\n\n'),
      begin,
    )
    await pass(0)
    expect([names(), of('unread')]).toEqual([['open', 'unread'], [{ count: 3 }]])
    const broken = start(beginWith('event: unread\ndata: {"cou\n\n'), begin)
    await pass(10_000)
    expect(broken.names()).toEqual(['open', 'lost', 'open'])
  })

  test('connects again at once after its token expired', async () => {
    const end = beginWith('event: end\ndata: {"reason":"expired"}\n\n')
    const { asked, names } = start(end, begin)
    await pass(0)
    expect([asked.length, names()]).toEqual([2, ['open', 'lost', 'open']])
  })

  test('continues after a listener has thrown', async () => {
    fakeTime()
    const thrown: unknown[] = []
    const catchIt = (err: unknown): void => void thrown.push(err)
    process.once('uncaughtException', catchIt)
    onTestFinished(() => void process.off('uncaughtException', catchIt))
    const two = 'event: unread\ndata: {"count":1}\n\nevent: unread\ndata: {"count":2}\n\n'
    const { send } = scriptedFetch(beginWith(two))
    const client = createClient({ baseUrl: 'https://admin.example.com', accessToken: 'key', fetch: send })
    const counts: number[] = []
    listen(client, {
      onUnread: ({ count }) => {
        counts.push(count)
        if (count === 1) throw new Error('of the listener')
      },
    })
    await pass(0)
    expect([counts, thrown]).toEqual([[1, 2], [new Error('of the listener')]])
  })
})

test('a subscription sends the scope, and the last event id that it was given', async () => {
  const headers: Headers[] = []
  const client = createClient({
    baseUrl: service.url,
    accessToken: 'key',
    fetch: async (_, init) => {
      headers.push(new Headers(init?.headers))
      return Response.json({ code: 40101, message: '', data: null }, { status: 401 })
    },
  })
  const { until } = listen(client.inTenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'), { lastEventId: '812.3' })
  await until('end')
  expect(headers.map((one) => [one.get('x-tenant-id'), one.get('last-event-id')])).toEqual([
    ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b', '812.3'],
  ])
})
