import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, unique, type Caller } from '../../test/factories.ts'
import { service } from '../../test/harness.ts'
import { readAsBody } from './body.ts'

let admin: Caller
beforeAll(async () => {
  ;({ admin } = await newTenant())
})

/** Sends bytes unchanged to an endpoint that accepts any JSON. */
const put = async (bytes: string | Uint8Array, type: string | undefined = 'application/json') => {
  const response = await fetch(`${service.url}/api/v1/settings/tenant/${unique('body')}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, ...(type === '' ? {} : { 'content-type': type }) },
    body: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** The least processor time of three runs, because it includes other work of the process. */
const cpuMsOf = (work: () => void): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }),
  )

const nested = (depth: number) => `{"value":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('a body', () => {
  test.each([
    ['cut off', '{"value":1'],
    ['followed by more', '{"value":1} x'],
    ['two of them', '{"value":1}{"value":2}'],
    ['with single quotes', "{'value':1}"],
    ['with a trailing comma', '{"value":1,}'],
    ['with NaN', '{"value":NaN}'],
    ['with a comment', '{"value":1/* */}'],
    ['with a raw control character', '{"value":"a\u0001"}'],
    ['of white space', '   '],
  ])('a body that is no JSON is 400: %s', async (_name, bytes) => {
    const { status, body } = await put(bytes)
    expect([status, body.code]).toEqual([400, 40002])
  })

  test.each([
    ['a stray continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate as UTF-8', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['a byte that never occurs', [0xff]],
  ])('a body that is not UTF-8 is 400: %s', async (_name, bytes) => {
    const all = Buffer.concat([Buffer.from('{"value":"'), Buffer.from(bytes), Buffer.from('"}')])
    const { status, body } = await put(all)
    expect([status, body.code]).toEqual([400, 40002])
  })

  test.each([
    ['as a value', String.raw`{"value":"a\u0000b"}`],
    ['as a key', String.raw`{"value":{"a\u0000":1}}`],
    ['deep inside', String.raw`{"value":[{"a":["\u0000"]}]}`],
    ['in a field that is not known', String.raw`{"value":1,"other":"\u0000"}`],
  ])('a body with a NUL character is 400: %s', async (_name, bytes) => {
    expect((await put(bytes)).status).toBe(400)
  })

  test.each([
    ['high', String.raw`{"value":"\ud800"}`],
    ['low', String.raw`{"value":"\udc00"}`],
    ['the wrong way round', String.raw`{"value":"\udc00\ud800"}`],
    ['as a key', String.raw`{"value":{"\ud800":1}}`],
    ['in a field that is not known', String.raw`{"value":1,"other":"\udfff"}`],
  ])('a body with a lone surrogate is 400: %s', async (_name, bytes) => {
    expect((await put(bytes)).status).toBe(400)
  })

  test('an escaped pair of surrogates is a character like any other', async () => {
    expect((await put(String.raw`{"value":"\ud83d\ude00"}`)).status).toBe(200)
  })

  test('a body with the key __proto__ is 400, and changes no prototype', async () => {
    expect((await put('{"value":1,"__proto__":{"admin":true}}')).status).toBe(400)
    expect((await put('{"value":{"a":{"__proto__":{"admin":true}}}}')).status).toBe(400)
    expect(({} as { admin?: boolean }).admin).toBe(undefined)
    expect((await put('{"value":{"constructor":{"prototype":{"admin":true}}}}')).status).toBe(200)
    expect(({} as { admin?: boolean }).admin).toBe(undefined)
  })

  test('may be nested 64 levels deep, and not more', async () => {
    expect((await put(nested(64))).status).toBe(200)
    expect((await put(nested(66))).status).toBe(400)
  })

  test('a body nested 100,000 levels deep is 400, and the service still answers', async () => {
    expect((await put(nested(100_000))).status).toBe(400)
    expect((await put(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).status).toBe(400)
    expect((await admin.get('/ping')).status).toBe(200)
  })

  test.each<[string, number, (at: number) => string]>([
    ['numbers', 255_000, () => '0'],
    ['long numbers', 55_000, () => '1234567890123456'],
    ['texts', 170_000, () => '""'],
    ['lists', 85_000, () => '[]'],
    ['objects with the same name', 50_000, () => '{"a":0}'],
    ['objects with names of their own', 6000, (at) => `{"${at.toString(36)}":0}`],
  ])('a body of the most %s is read within 50 ms of the processor', (_name, count, partAt) => {
    const body = `[${Array.from({ length: count }, (_, at) => partAt(at)).join()}]`
    expect(cpuMsOf(() => readAsBody(body))).toBeLessThan(50)
  })

  test.each([
    ['values', Array.from({ length: 265_000 }).fill(0)],
    ['names', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at.toString(36), 0]))],
  ])('a body of too many %s is 400', async (_name, other) => {
    const { status, body } = await put(JSON.stringify({ value: 0, other }))
    expect([status, body.code, body.message]).toEqual([
      400,
      40002,
      expect.stringContaining('too many values'),
    ])
  })

  test('a body of 1 MiB is read, and one byte more is 413', async () => {
    const sized = (bytes: number) => `{"value":1,"pad":"${'x'.repeat(bytes - 20)}"}`
    const whole = sized(1_048_576)
    expect(Buffer.byteLength(whole)).toBe(1_048_576)
    expect((await put(whole)).status).toBe(200)
    const { status, body } = await put(`${whole} `)
    expect([status, body.code]).toEqual([413, 41301])
  })

  test('a client that reads only after sending a larger body gets 413', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname).pause()
    const half = 'x'.repeat(800_000)
    const send = promisify(socket.write.bind(socket) as (text: string, done: () => void) => void)
    await send(
      `PUT /api/v1/settings/tenant/late HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n` +
        `content-type: application/json\r\ncontent-length: 1600000\r\n\r\n${half}`,
    )
    // No event shows that the service has answered before the client reads. A short pause only makes the test easier to
    // pass.
    await sleep(200)
    await send(half)
    await sleep(200)
    const answer = Buffer.concat(await socket.toArray()).toString()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a body over 1 MiB in chunks without a length is 413', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(65_536))
    let sent = 0
    const stream = new ReadableStream({
      pull: (controller) => {
        sent += 1
        if (sent > 17) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${service.url}/api/v1/settings/tenant/chunked`, {
      method: 'PUT',
      headers,
      body: stream,
      duplex: 'half',
    })
    expect(response.status).toBe(413)
  })

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'json',
    '',
  ])('a body without the type JSON is 415: %j', async (type) => {
    const { status, body } = await put('{"value":1}', type)
    expect([status, body.code]).toEqual([415, 41501])
  })

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'application/merge-patch+json',
  ])('a body with a type of JSON is read: %s', async (type) => {
    expect((await put('{"value":1}', type)).status).toBe(200)
  })

  test('a body in another charset than UTF-8 is refused', async () => {
    const { status } = await put(
      Buffer.from('{"value":"ü"}', 'latin1'),
      'application/json; charset=iso-8859-1',
    )
    expect([400, 415]).toContain(status)
  })

  test.each(['[]', '"x"', '1', 'null', 'true'])('a body that is no object is 400: %s', async (bytes) => {
    const { status, body } = await put(bytes)
    expect([status, body.code, body.data.errors[0].field]).toEqual([400, 40001, 'body'])
  })

  test('a missing body is 400 and not 500', async () => {
    expect((await admin.post('/rbac/roles')).status).toBe(400)
    expect((await put('')).status).toBe(400)
  })

  test('the last of two equal keys counts', async () => {
    expect((await put('{"value":1,"value":2}')).status).toBe(200)
  })

  test('an answer names at most 20 of a thousand faults', async () => {
    const ids = Array.from({ length: 1000 }, () => 'x')
    const { data: role } = await admin.post('/rbac/roles', { name: unique() })
    const { status, body } = await admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: ids })
    expect([status, body.data.errors.length <= 20]).toEqual([400, true])
    expect(body.data.errors[0].field).toBe('permission_ids.0')
  })
})
