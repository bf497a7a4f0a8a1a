/** A list of breached passwords, which answers, hangs, or answers wrongly. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestListener } from 'node:http'
import { listen, type Listener } from '../../../../../lab/receiver.ts'
import { newTenant, ok, platformAdmin, unique, type Tenant } from '../../../../test/factories.ts'
import { parts, startApp, type Running } from '../../../../test/harness.ts'
import { createLogger } from '../../../log.ts'
import { createFindBreached } from '../../../outbound/breached.ts'

const leaked = 'a leaked password of some length'
const sha1 = createHash('sha1').update(leaked).digest('hex').toUpperCase()
const rest = sha1.slice(5)
const padding = `${'0'.repeat(35)}:0\r\n`

let list: Listener
let answer: RequestListener
let at: Running
let tenant: Tenant
const asked: { url: string | undefined; padding: unknown }[] = []

beforeAll(async () => {
  await platformAdmin()
  list = await listen((...args) => answer(...args))
  at = await startApp({}, undefined, { breached: createFindBreached(`${list.url}/range/`) })
  tenant = await newTenant()
  ok(await tenant.admin.put('/settings/tenant/auth.passwords', { value: { breached: 'refuse' } }))
})
afterAll(async () => {
  await at.app.close()
  await list.stop()
})

const says = (text: string) => {
  answer = (request, response) => {
    asked.push({ url: request.url, padding: request.headers['add-padding'] })
    response.end(text)
  }
}

const create = (chosen = leaked) => {
  const username = unique('user')
  return tenant.admin.post('/users', { email: `${username}@example.com`, username, password: chosen }, { at })
}

const countOf = async (result: string): Promise<number> => {
  const { values } = await parts.metrics.breachedPasswords.get()
  return values.find(({ labels }) => labels.result === result)?.value ?? 0
}

describe('a list of breached passwords', () => {
  test('gets five digits of a hash, and refuses the password that it has', async () => {
    asked.length = 0
    says(`${padding}${rest}:3\r\n`)
    expect(await create()).toMatchObject({
      status: 400,
      body: { code: 40080, data: { reasons: ['breached'], errors: [{ field: 'password' }] } },
    })
    expect(asked).toEqual([{ url: `/range/${sha1.slice(0, 5)}`, padding: 'true' }])
  })

  test('has a password not by an entry of padding, whose count is 0', async () => {
    says(`${rest}:0\r\n${padding}`)
    expect((await create()).status).toBe(200)
  })

  test('is not asked about a password that is refused anyway, nor where it is off', async () => {
    asked.length = 0
    says(`${rest}:3`)
    const short = await newTenant()
    const value = { min_length: 40, breached: 'refuse' }
    ok(await short.admin.put('/settings/tenant/auth.passwords', { value }))
    const username = unique('user')
    const body = { email: `${username}@example.com`, username, password: leaked }
    expect((await short.admin.post('/users', body, { at })).status).toBe(400)
    expect((await (await newTenant()).admin.post('/users', body, { at })).status).toBe(200)
    expect(asked).toEqual([])
  })

  test('is never asked at a sign-in', async () => {
    const user = await tenant.member()
    asked.length = 0
    says('')
    const body = { email: user.email, password: 'correct horse battery' }
    expect((await user.post('/auth/login', body, { at })).status).toBe(200)
    expect(asked).toEqual([])
  })
})

const hang: RequestListener = () => undefined

const drip: RequestListener = (_request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(padding), 200)
  response.once('close', () => clearInterval(timer))
}

const flood: RequestListener = (_request, response) => {
  response.writeHead(200)
  const write = () => {
    while (!response.destroyed && response.write(padding.repeat(100)));
  }
  response.on('drain', write)
  write()
}

test.each<[string, RequestListener]>([
  ['hangs', hang],
  ['drips', drip],
  ['floods', flood],
  ['fails', (_request, response) => void response.writeHead(503).end()],
  ['redirects', (_request, response) => void response.writeHead(302, { location: list.url }).end()],
  ['cuts the connection', (request) => void request.socket.destroy()],
])('a list that %s keeps nobody from a password, and is counted', async (_name, behaviour) => {
  answer = behaviour
  const before = await countOf('unanswered')
  expect((await create()).status).toBe(200)
  expect(await countOf('unanswered')).toBe(before + 1)
})

test('the log of a missing answer has no part of the password', async () => {
  answer = hang
  const lines: string[] = []
  const log = createLogger('warn', { write: (line: string) => void lines.push(line) })
  const quiet = await startApp({}, undefined, { breached: createFindBreached(list.url), log })
  const username = unique('user')
  const body = { email: `${username}@example.com`, username, password: leaked }
  expect((await tenant.admin.post('/users', body, { at: quiet })).status).toBe(200)
  const [line = ''] = lines.filter((one) => one.includes('breached'))
  expect(line).toContain('no answer within 1 seconds')
  for (const secret of [leaked, sha1.slice(0, 5), list.url]) expect(line).not.toContain(secret)
  await quiet.app.close()
})
