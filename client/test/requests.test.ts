/** What the SDK makes of answers, of none, and of those that do not come in time. */
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError, createClient, type ClientOptions } from '../src/client.ts'
import {
  answer,
  closeScripted,
  failure,
  hangUp,
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

const user = { id: 7, username: 'ada' }

/** What a call rejects with, whatever it is. */
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

  test('that fails becomes an ApiError with status, code, name, message, fields and trace id', async () => {
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
  ])('that is not one of the service is an error of its own: %s', async (_what, script, status) => {
    const { client } = await start([script])
    expect(await refused(client.users.get(7))).toMatchObject({
      status,
      code: 0,
      reason: 'unknown',
      fields: [],
    })
  })

  test('of a page tells whether its total was capped', async () => {
    const page = { items: [user], total: 100_000, page: 1 }
    const { client } = await start([success(page, { 'x-total-capped': 'true' }), success(page)])
    expect(await client.users.list({ search: 'a' })).toEqual({ ...page, isCapped: true })
    expect(await client.users.list()).toEqual({ ...page, isCapped: false })
  })

  test('of a probe that is not well is an answer, not an error', async () => {
    const unready = { status: 'unready', database: 'down', cache: 'up' }
    const { client, asked } = await start([answer(503, unready), failure(50301)], { retries: 0 })
    expect(await client.system.readiness()).toEqual(unready)
    expect(asked).toHaveLength(1)
    expect(await refused(client.system.readiness())).toMatchObject({ reason: 'overloaded' })
  })
})

describe('a request', () => {
  test('encodes what comes into its path and its query, and leaves out what is undefined', async () => {
    const { client, asked } = await start([success(null)])
    await client.settings.tenant.delete('../../org/tenants?x')
    await refused(client.users.list({ search: 'ä&b=c', status: undefined, page: 2 }))
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v1/settings/tenant/..%2F..%2Forg%2Ftenants%3Fx',
      '/api/v1/users?search=%C3%A4%26b%3Dc&page=2',
    ])
  })

  test('goes through the fetch that was given', async () => {
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
    const { client, asked } = await start([failure(50301)])
    expect(await refused(client.users.get(7))).toMatchObject({ status: 503, reason: 'overloaded' })
    expect(asked).toHaveLength(3)
    const once = await start([hangUp], { retries: 0 })
    expect(await refused(once.client.users.get(7))).toMatchObject({ status: 0, code: 0, reason: 'network' })
    expect(once.asked).toHaveLength(1)
  })

  test('waits as long as the service asks for', async () => {
    const { client, asked } = await start([failure(50301, { 'retry-after': '1' }), success(user)])
    await client.users.get(7)
    expect((asked[1]?.atMs ?? 0) - (asked[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(995)
  })

  test('does not wait more than 10 seconds, nor beyond its timeout: the error tells how long', async () => {
    const long = await start([failure(42901, { 'retry-after': '11' })])
    expect(await refused(long.client.users.get(7))).toMatchObject({ status: 429, retryAfterSeconds: 11 })
    const short = await start([failure(42901, { 'retry-after': '5' })], { timeoutMs: 4000 })
    expect(await refused(short.client.users.get(7))).toMatchObject({ status: 429, retryAfterSeconds: 5 })
    expect([long.asked.length, short.asked.length]).toEqual([1, 1])
  })
})

describe('a write', () => {
  test.each([
    ['429', failure(42901)],
    ['503', failure(50302)],
    ['a connection that breaks off', hangUp],
  ])('is sent once, also after %s', async (_what, script) => {
    const { client, asked } = await start([script])
    expect(await refused(client.roles.create({ name: 'Editors' }))).toBeInstanceOf(ApiError)
    expect(await refused(client.settings.tenant.put('a', 1))).toBeInstanceOf(ApiError)
    expect(await refused(client.users.delete(7))).toBeInstanceOf(ApiError)
    expect(asked).toHaveLength(3)
  })
})

describe('waiting', () => {
  test('ends with the timeout, for the answer and for its body', async () => {
    const halfABody: Script = (response) => {
      response.writeHead(200).write('{"code":0,')
    }
    const { client, asked } = await start([silence, halfABody], { timeoutMs: 60 })
    const expected = { status: 0, code: 0, reason: 'timeout', message: 'The service did not answer in time' }
    expect(await refused(client.users.get(7))).toMatchObject(expected)
    expect(await refused(client.users.get(7, { timeoutMs: 90 }))).toMatchObject(expected)
    expect(asked).toHaveLength(2)
  })

  test('for a file ends when it begins: reading it takes as long as it takes', async () => {
    const slowFile: Script = (response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('id\n')
      setTimeout(() => response.end('1\n'), 200)
    }
    const { client } = await start([slowFile, silence], { timeoutMs: 100 })
    const file = await client.audit.export({ format: 'csv' })
    expect(await file.text()).toBe('id\n1\n')
    expect(await refused(client.audit.export())).toMatchObject({ reason: 'timeout' })
  })

  test('ends when the caller aborts: with the reason of the signal, at every stage', async () => {
    const reason = new Error('the user has left the page')
    const at = async (scripts: Script[], afterMs: number) => {
      const { client, asked } = await start(scripts)
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), afterMs)
      expect(await refused(client.users.get(7, { signal: controller.signal }))).toBe(reason)
      return asked.length
    }
    expect(await at([silence], 50)).toBe(1)
    expect(await at([failure(50301, { 'retry-after': '5' })], 100)).toBe(1)
    const { client, asked } = await start([success(user)])
    expect(await refused(client.users.get(7, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(asked).toHaveLength(0)
  })
})

describe('a loop over all items', () => {
  const users = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: from + index }))
  const page = (items: object[]) => success({ items, total: 5, page: 1 })

  test('fetches page after page, and stops at the one that is not full', async () => {
    const { client, asked } = await start([page(users(1, 2)), page(users(3, 2)), page(users(5, 1))])
    const ids: number[] = []
    for await (const { id } of client.users.all({ search: 'a', page_size: 2 })) ids.push(id)
    expect(ids).toEqual([1, 2, 3, 4, 5])
    expect(asked.map(({ path }) => path.replace(/.*\?/, ''))).toEqual([
      'search=a&page_size=2&page=1',
      'search=a&page_size=2&page=2',
      'search=a&page_size=2&page=3',
    ])
  })

  test('fetches no more when it is left', async () => {
    const { client, asked } = await start([page(users(1, 200)), page(users(201, 200))])
    for await (const { id } of client.users.all({ page_size: undefined })) if (id === 200) break
    expect(asked).toHaveLength(1)
  })

  test('gives what has moved to the next page meanwhile only once', async () => {
    const { client } = await start([page([{ id: 9 }, { id: 8 }]), page([{ id: 8 }, { id: 7 }]), page([])])
    const ids: number[] = []
    for await (const { id } of client.audit.all({ page_size: 2 })) ids.push(id)
    expect(ids).toEqual([9, 8, 7])
  })
})
