/** The program as an operator meets it: refusals in one line, start and stop. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endsWithin, eventually } from './waits.ts'
import { freePort } from '../../lab/processes.ts'
import { startReceiver } from '../../lab/receiver.ts'
import type { Replica } from '../../lab/replica.ts'
import { secretEnv } from './test-database.ts'
import { ask, createStores, endAll, newFolder, run, start, type Stores } from './programs.ts'
import { startSlowMailServer } from './slow-mail-server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const password = 'correct horse battery'
/** Runs a program at a terminal of its own. */
const terminal = '/usr/bin/script'
const admin = { email: 'root@example.com', password }
const lines = (text: string) => text.split('\n').filter(Boolean)

afterAll(endAll)

describe('the commands', () => {
  test('create-admin refuses bad input in one line, before it opens anything, and takes no password argument', async () => {
    const env = { TENANTRY_DATA_DIR: '/proc/nowhere' }
    const bad = await run(['create-admin', '--email', 'nobody', '--username', 'x'], env, 'short\n')
    expect([bad.code, lines(bad.stderr).length]).toEqual([1, 1])
    for (const field of ['email', 'username', 'password']) expect(bad.stderr).toContain(field)
    expect(bad.stderr).not.toContain('short')
    const strong = { TENANTRY_EMBEDDED: 'true', TENANTRY_BCRYPT_COST: '', TENANTRY_RATE_LIMIT: '' }
    const guessed = { ...env, ...strong, NODE_ENV: 'production' }
    for (const command of [
      ['create-admin', '--email', admin.email],
      ['reset-password', admin.email],
    ]) {
      const { code, stderr } = await run(command, guessed, 'Password1\n')
      expect([code, stderr]).toEqual([1, 'tenantry: password is one of those that are guessed first\n'])
    }
    const argument = await run(['create-admin', '--email', 'a@example.com', '--password', password], env)
    expect(argument.code).toBe(1)
  })

  test.runIf(existsSync(terminal))(
    'create-admin at a terminal shows no password, and a second administrator gets a free username',
    async () => {
      const entry = fileURLToPath(new URL('../bin/tenantry.js', import.meta.url))
      const command = `'${process.execPath}' '${entry}' create-admin --email root@example.com`
      const stores = await createStores()
      const env = { ...stores.env, TENANTRY_BCRYPT_COST: '4', ...secretEnv }
      const child = spawn(terminal, ['-qec', command, '/dev/null'], {
        env: { PATH: process.env['PATH'], ...env },
      })
      let shown = ''
      child.stdout.on('data', (text: Buffer) => (shown += text.toString()))
      await eventually(() => expect(shown).toContain('not shown'))
      child.stdin.write(`${password}\r`)
      const [code] = (await once(child, 'exit')) as [number | null]
      expect([code, shown.includes(password)]).toEqual([0, false])
      expect(shown).toMatch(
        /created the platform administrator root@example\.com \(user \d+, username admin\)/,
      )
      const second = await run(['create-admin', '--email', 'second@example.com'], env, `${password}\n`)
      expect(second).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('username admin2)'),
        stderr: '',
      })
      await stores.remove()
    },
  )

  test('--help lists every command, an unknown one ends with 1', async () => {
    const help = await run(['--help'])
    expect(help.code).toBe(0)
    for (const name of ['start', 'migrate', 'create-admin', 'reset-password', 'reset-factors', 'doctor']) {
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

  test('audit verify refuses a bad file of --keys in one line that names it and says what belongs there, and quotes nothing of it', async () => {
    const folder = newFolder()
    const keys = join(folder, 'keys.json')
    const key = { kid: 'hunter-2', x: 'hunter-2' }
    const contents = ['hunter-2', '{"keys":["hunter-2"]}', '{"keys":[]}', JSON.stringify({ keys: [key] })]
    const refuse = async (path: string) => {
      const args = ['audit', 'verify', '--file', join(folder, 'export.ndjson'), '--keys', path]
      const { code, stdout, stderr } = await run(args)
      const line = expect.stringMatching(
        /^tenantry: --keys .* `tenantry audit keys` prints them, a JSON Web Key Set/,
      )
      expect([code, stdout, lines(stderr)]).toEqual([1, '', [line]])
      expect(stderr).toContain(`--keys ${path} `)
      return stderr
    }
    expect(await refuse(join(folder, 'nowhere.json'))).toContain('does not exist')
    for (const content of contents) {
      writeFileSync(keys, content)
      expect(await refuse(keys)).not.toContain('hunter-2')
    }
    rmSync(folder, { recursive: true })
  })

  test('a data folder that cannot be used ends the start with one line that names it', async () => {
    const folder = newFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const blocked = join(folder, 'blocked')
    mkdirSync(join(blocked, 'tenantry.lock'), { recursive: true })
    for (const [dataDir, reason] of [
      [file, 'it is a file: name another one in TENANTRY_DATA_DIR'],
      [join(file, 'below'), 'it cannot be made: name another one in TENANTRY_DATA_DIR'],
      [blocked, 'unable to open database file'],
    ] as const) {
      const { code, stdout, stderr } = await run(['start'], {
        TENANTRY_DATA_DIR: dataDir,
        LOG_LEVEL: 'fatal',
      })
      const line = `tenantry: the data folder ${dataDir} cannot be used: ${reason}`
      expect([code, stdout, lines(stderr)]).toEqual([1, '', [expect.stringContaining(line)]])
    }
    rmSync(folder, { recursive: true })
  })

  test('a weak configuration is refused in production by every command that opens the stores, and named by doctor', async () => {
    const env = { NODE_ENV: 'production', DATABSE_URL: 'postgres://db/x', TENANTRY_DATA_DIR: '/proc/nowhere' }
    for (const command of ['start', 'migrate', 'rotate-keys']) {
      const { code, stderr } = await run([command], env)
      expect([command, code, lines(stderr)]).toEqual([
        command,
        1,
        [
          expect.stringContaining('DATABASE_URL is missing'),
          expect.stringContaining('TENANTRY_BCRYPT_COST'),
          expect.stringContaining('TENANTRY_RATE_LIMIT'),
          expect.stringContaining('NODE_ENV'),
        ],
      ])
    }
    const examined = await run(['doctor'], { ...env, TENANTRY_DATA_DIR: newFolder() })
    expect(examined.code).toBe(1)
    expect(examined.stdout).toMatch(/^error database: .*\nerror passwords: .*\nerror limits: /m)
  })

  test('commands on PostgreSQL load no SQLite, which locks the folder of the embedded database', async () => {
    const report = "process.on('exit', () => console.log(process.moduleLoadList.join(' ')))"
    const hook = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` }
    const { stdout } = await run(['migrate'], { DATABASE_URL: 'postgres://127.0.0.1:1/x', ...hook })
    const loaded = (name: string) => stdout.includes(`NativeModule ${name}`)
    expect([loaded('crypto'), loaded('sqlite')]).toEqual([true, false])
  })

  test('stores that cannot be reached end start with one line, and are an error to doctor', async () => {
    const port = await freePort()
    const env = {
      // The driver has a warning of its own about this mode, which is no line of ours.
      DATABASE_URL: `postgres://ada:hunter-2@127.0.0.1:${port}/x?sslmode=require`,
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
    expect(examined.stdout).toMatch(
      /^error database: .*\nerror cache: redis does not answer at REDIS_URL: .*ECONNREFUSED/m,
    )
    expect(stderr + examined.stdout + examined.stderr).not.toContain('hunter-2')
  })
})

describe('the service', () => {
  let stores: Stores
  let metricsPort: number
  let program: Replica
  beforeAll(async () => {
    stores = await createStores()
    metricsPort = await freePort()
    program = await start({
      ...stores.env,
      TENANTRY_ADMIN_EMAIL: 'root@example.com',
      TENANTRY_ADMIN_PASSWORD: password,
      TENANTRY_METRICS_PORT: String(metricsPort),
    })
  })
  afterAll(() => stores.remove())

  const email = `${randomUUID()}@example.com`
  const publicUrl = 'https://admin.example.com'

  test('makes the first administrator that its settings name, and no other', async () => {
    expect((await ask(program, 'GET //readyz')).status).toBe(200)
    const { status, body } = await ask(program, 'POST /auth/login', {
      body: { email: 'root@example.com', password },
    })
    expect(status).toBe(200)
    expect((await ask(program, 'GET /org/tenants', { token: body.data.access_token })).status).toBe(200)
    const account = { email, username: email.slice(0, 30), password }
    const registered = await ask(program, 'POST /auth/register', { body: account })
    const { access_token: token } = registered.body.data
    expect((await ask(program, 'GET /org/tenants', { token })).status).toBe(403)
  })

  test('takes the address of assistants as that of a resource while they are off', async () => {
    const login = { email: 'root@example.com', password }
    const token = (await ask(program, 'POST /auth/login', { body: login })).body.data.access_token
    const { tenant_id: tenant } = (await ask(program, 'GET /profile', { token })).body.data
    const permission = { code: 'invoice:read', name: 'Read invoices' }
    const { body } = await ask(program, 'POST /rbac/permissions', { token, tenant, body: permission })
    const resource = { identifier: `${publicUrl}/mcp`, name: 'Ours', permission_ids: [body.data.id] }
    expect((await ask(program, 'POST /resources', { token, body: resource })).status).toBe(200)
  })

  test('serves metrics on a port of their own when one is configured', async () => {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('tenantry_logins_total'),
    ])
    expect((await fetch(`http://127.0.0.1:${metricsPort}/api/v1/ping`)).status).toBe(404)
    expect((await fetch(`${program.url}/metrics`)).status).toBe(404)
  })

  test('refuses to start on a port that is taken: one line, exit 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const PORT = String((taken.address() as AddressInfo).port)
    const own = await createStores()
    const { code, stderr } = await run(['start'], { ...own.env, PORT, LOG_LEVEL: 'fatal' })
    taken.close()
    await own.remove()
    expect([code, lines(stderr).length]).toEqual([1, 1])
    expect(stderr).toContain(PORT)
  })

  test('serves on after SIGTERM until proxies have read on its probes that it stops', async () => {
    const own = await createStores()
    const leaving = await start(own.env)
    const stopped = leaving.end('SIGTERM')
    await eventually(async () => expect((await ask(leaving, 'GET //readyz')).status).toBe(503))
    const account = { email, username: email.slice(0, 30), password }
    const registered = await ask(leaving, 'POST /auth/register', { body: account })
    expect([registered.status, registered.headers.get('connection')]).toEqual([200, 'close'])
    expect(await stopped).toBe(0)
    await own.remove()
  })

  test('finishes requests in flight when it is stopped, takes no new ones, and exits with 0', async () => {
    const body = JSON.stringify({ email, password })
    const { hostname, port } = new URL(program.url)
    // A login whose body is still on its way when the signal comes.
    const slow = connect(Number(port), hostname)
    let answer = ''
    slow.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    slow.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`)
    await eventually(() => expect(answer).toContain('100 Continue'))
    slow.write(body.slice(0, 5))
    const stopped = program.end('SIGTERM')
    await eventually(() => expect(fetch(`${program.url}/healthz`)).rejects.toThrow('fetch failed'))
    slow.write(body.slice(5))
    const since = performance.now()
    expect(await stopped).toBe(0)
    // The service waits for up to 10 seconds for requests that do not end.
    expect(performance.now() - since).toBeLessThan(9000)
    expect(answer).toMatch(/HTTP\/1\.1 200 OK/)
    expect(answer).toContain('access_token')
  })

  test('says in one line where it listens, and logs JSON without secrets', () => {
    expect(program.url).toMatch(/^http:\/\/localhost:\d+$/)
    const log = program.records()
    expect(log.filter(({ url }) => url === program.url)).toHaveLength(1)
    const requests = log.filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.every(({ trace_id: id }) => /^[0-9a-f]{32}$/.test(String(id)))).toBe(true)
    expect(JSON.stringify(log)).not.toMatch(/correct horse|eyJ|root@example|PRIVATE KEY/)
  })

  test('refuses to start for assistants while a resource has their address: one line, exit 1', async () => {
    const env = { ...stores.env, TENANTRY_MCP: 'on', TENANTRY_PUBLIC_URL: publicUrl, LOG_LEVEL: 'fatal' }
    const { code, stderr } = await run(['start'], env)
    expect([code, lines(stderr).length]).toEqual([1, 1])
    expect(stderr).toContain(`a resource has the identifier ${publicUrl}/mcp`)
  })
})

/** The same environment with a proxy before each store, which the test can freeze. */
const throughProxies = async (env: Record<string, string>) => {
  const proxies: TcpProxy[] = []
  const through = { ...env }
  for (const name of ['DATABASE_URL', 'REDIS_URL'].filter((one) => env[one])) {
    const url = new URL(env[name] ?? '')
    const proxy = await startTcpProxy(Number(url.port || (name === 'REDIS_URL' ? 6379 : 5432)), url.hostname)
    proxies.push(proxy)
    url.host = `127.0.0.1:${proxy.port}`
    through[name] = url.href
  }
  return { env: through, proxies }
}

/** A request whose body never comes. */
const beginRequest = async ({ url }: Replica): Promise<void> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json']
  socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`)
  await once(socket, 'data')
}

// Docker kills a process ten seconds after SIGTERM.
test('the service ends within 10 seconds of SIGTERM while e-mails, webhooks, requests, a stream and its stores hang', async () => {
  const stores = await createStores()
  const { env, proxies } = await throughProxies(stores.env)
  const mails = await startSlowMailServer('RCPT')
  const receiver = await startReceiver()
  const program = await start({
    ...env,
    TENANTRY_ADMIN_EMAIL: admin.email,
    TENANTRY_ADMIN_PASSWORD: password,
    SMTP_URL: mails.url,
    TENANTRY_MAIL_FROM: 'tenantry@example.com',
    TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  })
  const signedIn = await ask(program, 'POST /auth/login', { body: admin })
  const token = signedIn.body.data.access_token as string
  const stream = await fetch(`${program.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(stream.status).toBe(200)
  const hook = { url: receiver.url, events: ['*'] }
  const { id } = (await ask(program, 'POST /webhooks', { token, body: hook })).body.data
  expect((await ask(program, `POST /webhooks/${id}/test`, { token })).body.data.status).toBe(204)
  receiver.behave(() => {})
  const account = { email: 'ada@example.com', username: 'ada-lovelace', password }
  expect((await ask(program, 'POST /auth/register', { body: account })).status).toBe(200)
  await ask(program, 'POST /auth/password/forgot', { body: { email: account.email } })
  await eventually(() => expect(mails.slow()).toBeGreaterThan(0))
  await eventually(() => expect(receiver.events().length).toBeGreaterThan(0))
  await beginRequest(program)
  for (const proxy of proxies) proxy.freeze()

  let code: number | null = null
  const end = async () => {
    code = await program.end('SIGTERM')
  }
  const isInTime = await endsWithin(10_000, end)
  expect([isInTime, code]).toEqual([true, 0])
  for (const proxy of proxies) proxy.close()
  mails.stop()
  await receiver.stop()
  await stores.remove()
})
