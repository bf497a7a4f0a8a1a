/** Requests, answers, retries and timeouts of the SDK, against scripted services. */
import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, createClient, type ClientOptions } from '../src/client.ts'
import {
  answer,
  closeScripted,
  expectPauses,
  failure,
  fakeTime,
  hangUp,
  pair,
  scriptedFetch,
  silence,
  startScripted,
  success,
  type Script,
} from './scripted.ts'

afterEach(closeScripted)

const start = async (scripts: Script[], options: ClientOptions = {}) => {
  const server = await startScripted(...scripts)
  return { ...server, client: createClient({ baseUrl: `${server.url}/`, ...options }) }
}

/** A client in faked time, whose requests are answered inside the process. */
const startInFakeTime = (scripts: Script[], options: ClientOptions = {}) => {
  fakeTime()
  const { send, asked } = scriptedFetch(...scripts)
  return { asked, client: createClient({ baseUrl: 'https://admin.example.com', fetch: send, ...options }) }
}

const user = { id: 7, username: 'ada' }

/** The error of a call, of any kind; undefined when the call succeeds. */
const refused = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (err: unknown) => err,
  )

describe('an answer', () => {
  test('is the data of its envelope', async () => {
    const { client, asked } = await start([success(user)])
    expect(await client.users.get(7)).toEqual(user)
    expect(asked).toMatchObject([{ method: 'GET', path: '/api/v1/users/7' }])
  })

  test('a failed answer becomes an ApiError with status, code, name, message, fields and trace id', async () => {
    const errors = [{ field: 'email', message: 'must be an e-mail address' }]
    const { client } = await start([failure(40001, {}, { errors })])
    const err = await refused(client.users.list())
    expect(err).toBeInstanceOf(ApiError)
    expect(err).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 40001,
      reason: 'invalidInput',
      message: 'error 40001',
      fields: errors,
      traceId: 'b'.repeat(32),
      retryAfterSeconds: undefined,
    })
  })

  test.each([
    ['a failing page of a proxy', answer(413, '<html>'), 413],
    ['a page of a proxy in place of the answer', answer(200, '<html>'), 200],
    ['JSON that is no object', answer(200, 'null'), 200],
    ['an empty answer', answer(200, ''), 200],
    ['an empty object', answer(200, '{}'), 200],
    ['an envelope without data', answer(200, '{"code":0,"message":"success"}'), 200],
    ['an object with data of its own', answer(200, '{"data":{"id":7}}'), 200],
  ])(
    'an answer from another server than the service has an error of its own: %s',
    async (_what, script, status) => {
      const { client } = await start([script])
      expect(await refused(client.users.get(7))).toMatchObject({
        status,
        code: 0,
        reason: 'unknown',
        message: `The answer did not come from the service (HTTP ${status})`,
        fields: [],
      })
    },
  )

  test('an answer of a proxy to a probe or for the key set is an error', async () => {
    const { client } = await start([answer(200, '{"ok":true}')])
    const { system, auth } = client
    for (const call of [system.health(), system.liveness(), system.readiness(), auth.keySet()]) {
      expect(await refused(call)).toMatchObject({ status: 200, reason: 'unknown' })
    }
  })

  test('an answer with a code newer than the SDK keeps its code and its message', async () => {
    const { client } = await start([failure(40999)])
    expect(await refused(client.users.get(7))).toMatchObject({
      status: 409,
      code: 40999,
      reason: 'unknown',
      message: 'error 40999',
    })
  })

  test('an answer to an export is an error when it is no file', async () => {
    const html = { 'content-type': 'text/html' }
    const json = { 'content-type': 'application/json' }
    const { client } = await start([answer(200, '<html>', html), success({}, json)])
    expect(await refused(client.audit.export())).toMatchObject({ status: 200, reason: 'unknown' })
    expect(await refused(client.audit.export())).toMatchObject({ status: 200, reason: 'unknown' })
  })

  test('an answer with a page says whether its total was capped', async () => {
    const page = { items: [user], total: 10_000, page: 1 }
    const { client } = await start([success(page, { 'x-total-capped': 'true' }), success(page)])
    expect(await client.users.list({ search: 'a' })).toEqual({ ...page, isCapped: true })
    expect(await client.users.list()).toEqual({ ...page, isCapped: false })
  })

  test('the answer of a failing probe is a result, not an error', async () => {
    const unready = { status: 'unready', database: 'down', cache: 'up' }
    const { client, asked } = await start([answer(503, unready), failure(50301)], { retries: 0 })
    expect(await client.system.readiness()).toEqual(unready)
    expect(asked).toHaveLength(1)
    expect(await refused(client.system.readiness())).toMatchObject({ reason: 'overloaded' })
  })
})

describe('a request', () => {
  test('encodes the values in its path and its query, and omits undefined ones', async () => {
    const { client, asked } = await start([success(null)])
    await client.settings.tenant.delete('../../org/tenants?x')
    await refused(client.users.list({ search: 'ä&b=c', status: undefined, page: 2 }))
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v1/settings/tenant/..%2F..%2Forg%2Ftenants%3Fx',
      '/api/v1/users?search=%C3%A4%26b%3Dc&page=2',
    ])
  })

  test.each(['..', '.', ''])('is not sent to another path by a value in it: %j', async (value) => {
    const { client, asked } = await start([success(null)])
    const calls = [
      () => client.roles.unassign({ userId: value as unknown as number, roleId: 8 }),
      () => client.settings.tenant.delete(value),
      () => client.notifications.list(value as unknown as number),
      async () => {
        for await (const _ of client.roles.allHolders(value as unknown as number)) expect.unreachable()
      },
    ]
    for (const call of calls) {
      expect(await refused(call())).toEqual(new TypeError(`'${value}' cannot be a segment of a path`))
    }
    await client.settings.tenant.delete('...')
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/settings/tenant/...'])
  })

  test('a request that cannot be built rejects with the TypeError or URIError, and is not retried', async () => {
    const { client, asked } = await start([success(null)])
    const circular: unknown[] = []
    circular.push(circular)
    const calls: [() => Promise<unknown>, typeof Error][] = [
      [() => client.settings.tenant.put('a', 1n), TypeError],
      [() => client.settings.tenant.put('a', circular), TypeError],
      [() => client.settings.tenant.get('\uD800'), URIError],
    ]
    for (const [call, kind] of calls) expect(await refused(call())).toBeInstanceOf(kind)
    expect(asked).toEqual([])
  })

  test('a request with an invalid header rejects with the TypeError', async () => {
    const { client, asked } = await start([pair])
    await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
    expect(await refused(client.inTenant('a\nb').users.list())).toBeInstanceOf(TypeError)
    expect(asked).toHaveLength(1)
  })

  test.each(['', 'admin.example.com', 'localhost:8080', '/somewhere', 'file:///srv'])(
    'needs an address: a client of %j is refused',
    (baseUrl) => {
      const fault = `baseUrl must be an address such as https://admin.example.com, not '${baseUrl}'`
      expect(() => createClient({ baseUrl })).toThrow(new TypeError(fault))
      expect(() => createClient()).toThrow(TypeError)
    },
  )

  test('goes through the given fetch', async () => {
    const seen: string[] = []
    const { client, url } = await start([success(user)], {
      fetch: (input, init) => {
        seen.push(input as string)
        return fetch(input, init)
      },
    })
    await client.profile.get()
    expect(seen).toEqual([`${url}/api/v1/profile`])
  })
})

describe('a GET', () => {
  test.each([
    ['429', failure(42901)],
    ['502', answer(502, 'Bad Gateway')],
    ['503', failure(50302)],
    ['504', answer(504, '')],
    ['a connection that breaks off', hangUp],
  ])('is sent again after %s', async (_what, script) => {
    const { client, asked } = await start([script, success(user)])
    expect(await client.users.get(7)).toEqual(user)
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['400', failure(40001)],
    ['403', failure(40301)],
    ['404', failure(40403)],
    ['500', failure(50001)],
  ])('is not sent again after %s', async (_what, script) => {
    const { client, asked } = await start([script])
    await refused(client.users.get(7))
    expect(asked).toHaveLength(1)
  })

  test('is sent three times at most, and never again with retries 0', async () => {
    const once = await start([hangUp], { retries: 0 })
    expect(await refused(once.client.users.get(7))).toMatchObject({ status: 0, code: 0, reason: 'network' })
    expect(once.asked).toHaveLength(1)
    const { client, asked } = startInFakeTime([failure(50301)])
    const call = refused(client.users.get(7))
    await vi.advanceTimersByTimeAsync(29_000)
    expect(await call).toMatchObject({ status: 503, reason: 'overloaded' })
    expect(asked).toHaveLength(3)
  })

  test('waits as long as the service asks for', async () => {
    const { client, asked } = startInFakeTime([failure(50301, { 'retry-after': '1' }), success(user)])
    const call = client.users.get(7)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await call).toEqual(user)
    expectPauses(asked, [[1000, 1250]])
  })

  test('accepts a date as Retry-After', async () => {
    fakeTime()
    vi.setSystemTime('2026-01-01T00:00:00Z')
    const at = new Date(Date.now() + 60_000).toUTCString()
    const { client } = startInFakeTime([
      answer(503, '', { 'retry-after': at }),
      answer(503, '', { 'retry-after': new Date(0).toUTCString() }),
      failure(50001, { 'retry-after': 'soon' }),
    ])
    expect(await refused(client.users.get(7))).toMatchObject({ retryAfterSeconds: 60 })
    expect(await refused(client.users.delete(7))).toMatchObject({ retryAfterSeconds: 0 })
    expect(await refused(client.users.delete(7))).toMatchObject({ retryAfterSeconds: undefined })
  })

  test('waits neither longer than 10 seconds nor beyond its timeout: the error tells the delay', async () => {
    const long = startInFakeTime([failure(42901, { 'retry-after': '11' })])
    expect(await refused(long.client.users.get(7))).toMatchObject({ status: 429, retryAfterSeconds: 11 })
    const short = startInFakeTime([failure(42901, { 'retry-after': '5' })], { timeoutMs: 4000 })
    expect(await refused(short.client.users.get(7))).toMatchObject({ status: 429, retryAfterSeconds: 5 })
    expect([long.asked.length, short.asked.length]).toEqual([1, 1])
  })
})

describe('a write', () => {
  test.each([
    ['429 for other reasons', failure(42902)],
    ['429 of a proxy', answer(429, 'Too Many Requests')],
    ['502', answer(502, 'Bad Gateway')],
    ['503 of a database that is away', failure(50302)],
    ['a connection that breaks off', hangUp],
  ])('is sent once, also after %s', async (_what, script) => {
    const { client, asked } = await start([script])
    expect(await refused(client.roles.create({ name: 'Editors' }))).toBeInstanceOf(ApiError)
    expect(await refused(client.settings.tenant.put('a', 1))).toBeInstanceOf(ApiError)
    expect(await refused(client.users.delete(7))).toBeInstanceOf(ApiError)
    expect(asked).toHaveLength(3)
  })

  test.each([
    ['too many requests', 42901],
    ['too much to do', 50301],
  ])('is sent again when the service refused it before it did anything: %s', async (_what, code) => {
    const { client, asked } = startInFakeTime([failure(code, { 'retry-after': '1' }), success(user)])
    const call = client.users.create({ email: 'a@example.com', username: 'ada', password: 'x' })
    await vi.advanceTimersByTimeAsync(5000)
    expect(await call).toEqual(user)
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'POST'])
    expectPauses(asked, [[1000, 1250]])
  })

  test('is sent once when it is a preview that took too long, and again when another one ran', async () => {
    const { client, asked } = startInFakeTime([
      failure(42901, { 'retry-after': '1' }),
      failure(50301, { 'retry-after': '1' }),
    ])
    const call = refused(client.authz.preview({ changes: [{ kind: 'delete_role', role_id: 8 }] }))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await call).toMatchObject({ reason: 'overloaded' })
    expect(asked).toHaveLength(2)
  })
})

describe('waiting', () => {
  const halfABody: Script = (response) => {
    response.writeHead(200).write('{"code":0,')
  }

  test('ends with the timeout, for the answer and for its body', async () => {
    const { client, asked } = startInFakeTime([silence, halfABody], { timeoutMs: 60_000 })
    const expected = { status: 0, code: 0, reason: 'timeout', message: 'The service did not answer in time' }
    const endsAfter = async (timeoutMs: number, call: Promise<unknown>) => {
      let isOver = false
      const outcome = refused(call).finally(() => {
        isOver = true
      })
      await vi.advanceTimersByTimeAsync(timeoutMs - 1)
      expect(isOver).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(await outcome).toMatchObject(expected)
    }
    await endsAfter(60_000, client.users.get(7))
    await endsAfter(90_000, client.users.get(7, {}, { timeoutMs: 90_000 }))
    expect(asked).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([Infinity, 2 ** 40])('can have no end: %d', async (timeoutMs) => {
    const { client } = await start([success(user)], { timeoutMs })
    expect(await client.users.get(7)).toEqual(user)
  })

  test('leaves nothing on a signal that lives on', async () => {
    const { client } = await start([success(user), success(user), hangUp], { retries: 0 })
    const { signal } = new AbortController()
    await client.users.get(7, {}, { signal })
    await client.auth.registration({ signal })
    await refused(client.users.get(7, {}, { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('the time limit of a file ends when its body begins: reading may take longer', async () => {
    const slowFile: Script = (response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('id\n')
      setTimeout(() => response.end('1\n'), 200_000)
    }
    const { client } = startInFakeTime([slowFile, silence], { timeoutMs: 100_000 })
    const file = await client.audit.export({ format: 'csv' })
    const text = file.text()
    await vi.advanceTimersByTimeAsync(200_000)
    expect(await text).toBe('id\n1\n')
    const call = refused(client.audit.export())
    await vi.advanceTimersByTimeAsync(100_000)
    expect(await call).toMatchObject({ reason: 'timeout' })
  })

  describe('a call that its caller aborts', () => {
    const reason = new Error('the user has left the page')

    test('a call aborted before its request rejects with the reason of the signal, and sends nothing', async () => {
      const { client, asked } = await start([success(user)])
      expect(await refused(client.users.get(7, {}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
      expect(asked).toHaveLength(0)
    })

    test('a call aborted before the answer rejects with the reason of the signal', async () => {
      const { client, nextRequest } = await start([silence])
      const controller = new AbortController()
      const call = refused(client.users.get(7, {}, { signal: controller.signal }))
      await nextRequest()
      controller.abort(reason)
      expect(await call).toBe(reason)
    })

    test('a call aborted within the body of the answer rejects with the reason of the signal', async () => {
      const hasBegun = Promise.withResolvers<undefined>()
      const { client, asked } = await start([halfABody], {
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          hasBegun.resolve(undefined)
          return response
        },
      })
      const controller = new AbortController()
      const call = refused(client.users.get(7, {}, { signal: controller.signal }))
      await hasBegun.promise
      controller.abort(reason)
      expect(await call).toBe(reason)
      expect(asked).toHaveLength(1)
    })

    test('a call aborted before the next attempt rejects with the reason of the signal, and leaves no timer', async () => {
      const { client, asked } = startInFakeTime([failure(50301, { 'retry-after': '5' })])
      const controller = new AbortController()
      const call = refused(client.users.get(7, {}, { signal: controller.signal }))
      await vi.advanceTimersByTimeAsync(4000)
      controller.abort(reason)
      expect(await call).toBe(reason)
      expect(asked).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  test('reading a file ends when the caller aborts, and leaves no listener on the signal', async () => {
    const rows: Script = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"id":1}\n')
    }
    const { client } = await start([rows, answer(200, 'id', { 'content-type': 'text/csv; charset=utf-8' })])
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('the user has left the page')
    const reader = (await client.audit.export({}, { signal })).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"id":1}\n')
    const whole = await client.audit.export({ format: 'csv' }, { signal })
    expect(whole.headers.get('content-type')).toContain('text/csv')
    expect(await whole.text()).toBe('id')
    controller.abort(reason)
    expect(await refused(reader?.read() ?? Promise.resolve())).toBe(reason)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a loop over all items', () => {
  const users = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: from + index }))
  const page = (items: object[]) => success({ items, total: 5, page: 1 })
  const queries = (asked: { path: string }[]) => asked.map(({ path }) => path.replace(/.*\?/, ''))

  test('reads on after the last item of each page, and stops at one that is not full', async () => {
    const { client, asked } = await start([page(users(1, 2)), page(users(3, 2)), page(users(5, 1))])
    const ids: number[] = []
    for await (const { id } of client.users.all({ search: 'a', page_size: 2 })) ids.push(id)
    expect(ids).toEqual([1, 2, 3, 4, 5])
    expect(queries(asked)).toEqual([
      'search=a&page_size=2',
      'search=a&page_size=2&after_id=2',
      'search=a&page_size=2&after_id=4',
    ])
  })

  test('reads on before the last item of a list that begins with the newest', async () => {
    const { client, asked } = await start([page([{ id: 9 }, { id: 7 }]), page([])])
    const ids: number[] = []
    for await (const { id } of client.audit.all({ page_size: 2 })) ids.push(id)
    expect(ids).toEqual([9, 7])
    expect(queries(asked)).toEqual(['page_size=2', 'page_size=2&before_id=7'])
  })

  test('begins at an item that the caller names', async () => {
    const { client, asked } = await start([page([])])
    for await (const { id } of client.roles.allHolders(8, { after_id: 40 })) expect.unreachable(`${id}`)
    expect(queries(asked)).toEqual(['after_id=40&page_size=200'])
  })

  test('fetches no more when the caller leaves it', async () => {
    const { client, asked } = await start([page(users(1, 200)), page(users(201, 200))])
    for await (const { id } of client.users.all({ page_size: undefined })) if (id === 200) break
    expect(asked).toHaveLength(1)
  })
})

describe('a change that needs approval', () => {
  test('is in the error as it was sent, and in no log of it', async () => {
    const { client } = await start([failure(40350, {}, { operations: ['user.delete'] })])
    const password = 'correct horse battery'
    const err = await refused(
      client.inTenant('acme').users.create({ username: 'ada', email: 'a@b.c', password }),
    )
    expect(err).toMatchObject({ reason: 'approvalNeeded' })
    expect((err as ApiError).refused).toMatchObject({
      change: { method: 'POST', path: '/users', body: { username: 'ada', password } },
    })
    expect(`${inspect(err, { showHidden: true })} ${JSON.stringify(err)}`).not.toContain(password)
  })

  test('is carried out with the id of its approval', async () => {
    const { client, asked } = await start([success(user)])
    const approval = { id: 5, method: 'DELETE' as const, path: '/api/v1/users/7?x=1', body: null }
    expect(await client.approvals.carryOut(approval)).toEqual(user)
    expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/v1/users/7?x=1' }])
  })
})
