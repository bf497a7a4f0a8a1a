/** The program as an operator meets it: start, stop, crash, commands. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, createStores, endAll, freePort, newFolder, run, start, type Stores } from './programs.ts'

const password = 'correct horse battery'
const lines = (text: string) => text.split('\n').filter(Boolean)

afterAll(endAll)

describe('the commands', () => {
  let stores: Stores
  beforeAll(async () => {
    stores = await createStores()
  })
  afterAll(() => stores.remove())

  test('migrate, create-admin, rotate-keys and doctor prepare a database that the service then starts on', async () => {
    const fresh = await run(['doctor'], stores.env)
    expect([fresh.code, lines(fresh.stdout)[0]]).toEqual([
      0,
      'ok    configuration: every setting is known and valid',
    ])
    expect(fresh.stdout).not.toMatch(/^error/m)

    const migrated = await run(['migrate'], stores.env)
    expect([migrated.code, migrated.stdout]).toEqual([0, 'the database is up to date\n'])

    const admin = ['create-admin', '--email', 'ada@example.com', '--username', 'ada']
    const created = await run(admin, stores.env, `${password}\n`)
    expect([created.code, created.stdout]).toEqual([
      0,
      expect.stringMatching(/^created the platform administrator ada@example.com \(user \d+\)\n$/),
    ])
    const again = await run(admin, stores.env, `${password}\n`)
    expect([again.code, again.stdout, lines(again.stderr)]).toEqual([
      1,
      '',
      ['tenantry: This e-mail is registered already'],
    ])
    const other = ['create-admin', '--email', 'other@example.com', '--username', 'ADA']
    expect(lines((await run(other, stores.env, `${password}\n`)).stderr)).toEqual([
      'tenantry: This username is taken in the tenant',
    ])

    const rotated = await run(['rotate-keys'], stores.env)
    expect([rotated.code, lines(rotated.stdout).length]).toEqual([0, 2])
    const kid = /key ([0-9a-f-]{36})/.exec(rotated.stdout)?.[1]

    const examined = await run(['doctor'], stores.env)
    expect([examined.code, examined.stderr]).toEqual([0, ''])
    expect(examined.stdout).toContain('ok    schema: up to date')
    expect(examined.stdout).toContain(`ok    keys: ${kid} signs, 0 days old; 1 retired`)
    expect(examined.stdout).toMatch(/^warn {2}passwords: TENANTRY_BCRYPT_COST/m)

    const program = await start(stores.env)
    const login = await ask(program, 'POST /auth/login', { body: { email: 'ada@example.com', password } })
    expect(login.status).toBe(200)
    const token = login.body.data.access_token as string
    expect((await ask(program, 'GET /org/tenants', { token })).status).toBe(200)
    const { body: keySet } = await ask(program, 'GET //.well-known/jwks.json')
    expect(keySet.keys.map((key: { kid: string }) => key.kid)).toContain(kid)
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    expect(header).toEqual({ alg: 'EdDSA', kid, typ: 'JWT' })
    const { body } = await ask(program, 'GET /audit/logs?action=user.create', { token })
    expect(body.data.items).toHaveLength(1)
    expect(body.data.items[0]).toMatchObject({ user_id: 0, user_agent: 'tenantry create-admin' })
    expect(await program.end('SIGTERM')).toBe(0)
    // Seven processes, each with an embedded database to open.
  }, 120_000)

  test('audit verify checks what the service has sealed by itself, in the database and in an export', async () => {
    const folder = newFolder()
    const [file, keyFile] = [join(folder, 'export.ndjson'), join(folder, 'keys.json')]
    const audited = await createStores()
    const program = await start(audited.env)
    const account = { email: 'ada@example.com', username: 'ada', password }
    expect((await ask(program, 'POST /auth/register', { body: account })).status).toBe(200)
    const { body } = await ask(program, 'POST /auth/login', { body: account })
    const token = body.data.access_token as string
    // The service seals every second.
    await sleep(2500)
    const response = await fetch(`${program.url}/api/v1/audit/export?format=sealed`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    writeFileSync(file, text)
    expect(await program.end('SIGTERM')).toBe(0)

    const online = await run(['audit', 'verify'], audited.env)
    expect([online.code, online.stderr]).toEqual([0, ''])
    const [note, line = ''] = lines(online.stdout)
    expect(note).toMatch(/^note {4}checked with the keys of the database itself/)
    expect(line).toMatch(/^ok {6}default \([0-9a-f-]{36}\): 2 records, \d seals, head \d:[0-9a-f]{64}$/)
    const keySet = await run(['audit', 'keys'], audited.env)
    expect(JSON.parse(keySet.stdout).keys).toHaveLength(1)
    expect(keySet.stdout).not.toContain('"d"')
    writeFileSync(keyFile, keySet.stdout)

    // In a folder and an environment that know of no database.
    const head = /head (\S+)/.exec(line)?.[1] ?? ''
    const offline = await run(['audit', 'verify', '--file', file, '--keys', keyFile, '--head', head])
    expect([offline.code, offline.stdout]).toEqual([0, expect.stringContaining(`head ${head}`)])
    const alone = await run(['audit', 'verify', '--file', file])
    expect([alone.code, lines(alone.stdout)[0]]).toEqual([
      0,
      `note    checked with the keys of the file itself: ${JSON.parse(keySet.stdout).keys[0].kid}`,
    ])
    writeFileSync(file, text.replace('auth.login', 'auth.logon'))
    const altered = await run(['audit', 'verify', '--file', file, '--keys', keyFile])
    expect([altered.code, altered.stdout]).toEqual([
      1,
      expect.stringMatching(/^BREACH .*: record \d+ was changed\n$/),
    ])
    const mistyped = await run(['audit', 'verify', '--file', file, '--head', 'x'])
    expect([mistyped.code, mistyped.stdout, lines(mistyped.stderr).length]).toEqual([1, '', 1])
    rmSync(folder, { recursive: true })
    await audited.remove()
  }, 120_000)

  test('create-admin refuses bad input in one line, before it opens anything, and takes no password argument', async () => {
    const env = { TENANTRY_DATA_DIR: '/proc/nowhere' }
    const bad = await run(['create-admin', '--email', 'nobody', '--username', 'x'], env, 'short\n')
    expect([bad.code, lines(bad.stderr).length]).toEqual([1, 1])
    for (const field of ['email', 'username', 'password']) expect(bad.stderr).toContain(field)
    expect(bad.stderr).not.toContain('short')
    const argument = await run(['create-admin', '--email', 'a@example.com', '--password', password], env)
    expect(argument.code).toBe(1)
  })

  test('--help lists every command, an unknown one ends with 1', async () => {
    const help = await run(['--help'])
    expect(help.code).toBe(0)
    for (const name of ['start', 'migrate', 'create-admin', 'rotate-keys', 'audit', 'doctor']) {
      expect(help.stdout).toContain(name)
    }
    const unknown = await run(['frobnicate'])
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining("unknown command 'frobnicate'"),
    ])
  })

  test('a bad configuration is one line for each fault, without its value, and ends with 1', async () => {
    const env = {
      PORT: '70000',
      LOG_LEVEL: 'hunter-2',
      TENANTRY_BCRYPT_COST: '3',
      TENANTRY_RATE_LIMITS: 'on',
    }
    for (const command of ['start', 'migrate']) {
      const { code, stdout, stderr } = await run([command], env)
      expect([command, code, stdout, lines(stderr).length]).toEqual([command, 1, '', 4])
      for (const name of Object.keys(env)) expect(stderr).toContain(`tenantry: ${name} `)
      expect(stderr).not.toMatch(/hunter-2|70000/)
    }
    const examined = await run(['doctor'], env)
    expect([examined.code, lines(examined.stdout).length]).toEqual([1, 4])
    expect(lines(examined.stdout).every((line) => line.startsWith('error '))).toBe(true)
  })

  test('a weak configuration is refused in production by every command that opens the stores, and named by doctor', async () => {
    const env = { NODE_ENV: 'production', TENANTRY_DATA_DIR: '/proc/nowhere' }
    for (const command of ['start', 'migrate', 'rotate-keys']) {
      const { code, stderr } = await run([command], env)
      expect([command, code, lines(stderr)]).toEqual([
        command,
        1,
        [
          expect.stringContaining('TENANTRY_BCRYPT_COST'),
          expect.stringContaining('TENANTRY_RATE_LIMIT'),
          expect.stringContaining('NODE_ENV'),
        ],
      ])
    }
    const examined = await run(['doctor'], { ...env, TENANTRY_DATA_DIR: newFolder() })
    expect(examined.code).toBe(1)
    expect(examined.stdout).toMatch(/^error passwords: .*\nerror limits: /m)
  })

  test('stores that cannot be reached end start with one line, and are an error to doctor', async () => {
    const port = await freePort()
    const env = {
      DATABASE_URL: `postgres://ada:hunter-2@127.0.0.1:${port}/x`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
    }
    const { code, stdout, stderr } = await run(['start'], { ...env, LOG_LEVEL: 'fatal' })
    expect([code, stdout, lines(stderr)]).toEqual([
      1,
      '',
      [expect.stringContaining(`tenantry: cannot connect to PostgreSQL at 127.0.0.1:${port}, database "x"`)],
    ])
    const examined = await run(['doctor'], env)
    expect(examined.code).toBe(1)
    expect(examined.stdout).toMatch(/^error database: .*\nerror cache: /m)
    expect(stderr + examined.stdout + examined.stderr).not.toContain('hunter-2')
  })
})

describe('the service', () => {
  let stores: Stores
  beforeAll(async () => {
    stores = await createStores()
  })
  afterAll(() => stores.remove())

  const register = async (url: string) => {
    const email = `${randomUUID()}@example.com`
    const body = { email, username: email.slice(0, 30), password }
    return { email, reply: await ask({ url }, 'POST /auth/register', { body }) }
  }

  test('says in one line where it listens, makes the first administrator, and logs JSON without secrets', async () => {
    const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
    const program = await start({ ...stores.env, ...admin })
    expect(program.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await ask(program, 'GET //readyz')).status).toBe(200)
    const { status, body } = await ask(program, 'POST /auth/login', {
      body: { email: 'root@example.com', password },
    })
    expect(status).toBe(200)
    expect((await ask(program, 'GET /org/tenants', { token: body.data.access_token })).status).toBe(200)
    const { reply } = await register(program.url)
    expect((await ask(program, 'GET /org/tenants', { token: reply.body.data.access_token })).status).toBe(403)
    expect(await program.end('SIGINT')).toBe(0)
    const log = program.log()
    expect(log.filter(({ url }) => url === program.url)).toHaveLength(1)
    expect(
      log
        .filter(({ msg }) => msg === 'request')
        .every(({ trace_id: id }) => /^[0-9a-f]{32}$/.test(String(id))),
    ).toBe(true)
    expect(JSON.stringify(log)).not.toMatch(/correct horse|eyJ|root@example|PRIVATE KEY/)
  })

  test('finishes what is in flight when it is stopped, takes nothing new, and exits with 0', async () => {
    const program = await start(stores.env)
    const { email } = await register(program.url)
    const body = JSON.stringify({ email, password })
    const { hostname, port } = new URL(program.url)
    // A login whose body is still on its way when the signal comes.
    const slow = connect(Number(port), hostname)
    let answer = ''
    slow.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    slow.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    await sleep(200)
    const stopped = program.end('SIGTERM')
    await sleep(500)
    await expect(fetch(`${program.url}/healthz`)).rejects.toThrow('fetch failed')
    slow.write(body.slice(5))
    const since = performance.now()
    expect(await stopped).toBe(0)
    // Not the 10 seconds that what never ends is given: nothing is in flight any more.
    expect(performance.now() - since).toBeLessThan(5000)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(answer).toContain('access_token')
  })

  test('refuses to start on a port that is taken: one line, exit 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const PORT = String((taken.address() as AddressInfo).port)
    const { code, stderr } = await run(['start'], { ...stores.env, PORT, LOG_LEVEL: 'fatal' })
    taken.close()
    expect([code, lines(stderr).length]).toEqual([1, 1])
    expect(stderr).toContain(PORT)
  })

  test('killed in the middle of writes has every one it acknowledged, each with its audit record', async () => {
    const program = await start(stores.env)
    const login = { email: 'root@example.com', password }
    const { body } = await ask(program, 'POST /auth/login', { body: login })
    const token = body.data.access_token as string
    const acknowledged: string[] = []
    const write = async (writer: number) => {
      for (let index = 0; ; index += 1) {
        const key = `crash.${writer}.${index}`
        const { status } = await ask(program, `PUT /settings/tenant/${key}`, { token, body: { value: key } })
        if (status === 200) acknowledged.push(key)
      }
    }
    const writers = Promise.allSettled([0, 1, 2, 3].map(write))
    while (acknowledged.length < 20) await sleep(20)
    expect(await program.end('SIGKILL')).toBe(null)
    await writers

    const next = await start(stores.env)
    const { body: relogin } = await ask(next, 'POST /auth/login', { body: login })
    const renewed = { token: relogin.data.access_token as string }
    const settings = (await ask(next, 'GET /settings/tenant', renewed)).body.data as {
      key: string
      value: string
    }[]
    expect(settings.map(({ key }) => key)).toEqual(expect.arrayContaining(acknowledged))
    expect(settings.every(({ key, value }) => key === value)).toBe(true)
    const { body: records } = await ask(next, 'GET /audit/logs?action=setting.create&page_size=1', renewed)
    expect(records.data.total).toBe(settings.length)
    expect((await ask(next, 'GET /profile', { token })).status).toBe(200)
    expect(await next.end('SIGTERM')).toBe(0)
  })

  test('serves metrics on a port of their own when one is configured', async () => {
    const port = await freePort()
    const program = await start({ ...stores.env, TENANTRY_METRICS_PORT: String(port) })
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('tenantry_logins_total'),
    ])
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/ping`)).status).toBe(404)
    expect((await fetch(`${program.url}/metrics`)).status).toBe(404)
    expect(await program.end('SIGTERM')).toBe(0)
  })
})

test('a second start on the folder of an embedded database that is in use is refused with one clear line', async () => {
  const folder = newFolder()
  const env = { TENANTRY_DATA_DIR: folder, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'fatal' }
  const program = await start(env)
  for (const command of ['start', 'migrate']) {
    const { code, stderr } = await run([command], env)
    expect([code, lines(stderr)]).toEqual([
      1,
      [expect.stringContaining(`the data folder ${folder} is in use`)],
    ])
  }
  const examined = await run(['doctor'], env)
  expect([examined.code, examined.stdout]).toEqual([1, expect.stringContaining('is in use')])
  expect((await ask(program, 'GET //readyz')).status).toBe(200)
  expect(await program.end('SIGTERM')).toBe(0)
  const next = await start(env)
  expect(await next.end('SIGTERM')).toBe(0)
  rmSync(folder, { recursive: true })
})
