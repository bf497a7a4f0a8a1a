/**
 * `npm run test:proxies`: Caddy and HAProxy with the files of deploy/, in front of two replicas on the PostgreSQL and
 * Redis that DATABASE_URL and REDIS_URL name. `-- haproxy` tries one of them. The login must be allowed to create databases. Everything listens on this
 * machine. The script makes a database, drops it, and ends with 1 when a guarantee does not hold or a program is missing.
 */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ask,
  createStores,
  endAll,
  freePort,
  newFolder,
  start,
  type Program,
} from '../../server/test/programs.ts'
import { missing, startCaddy, startHaproxy, type Drain, type Proxy, type StartProxy } from './proxy.ts'

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

/** The caller's address. The proxies reach the replicas from 127.0.0.1. */
const clientAddress = '127.0.0.9'
const password = 'correct horse battery'
const email = 'root@example.com'
const replicaMs = 9000

interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

interface Call {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  /** The parts of the body, with a pause before each but the first. */
  body?: string[]
  pauseMs?: number
}

type Send = (call: Call) => Promise<Answer>

/** Sends requests to a proxy by TLS that is verified. Throws when the connection breaks. */
const sender = ({ port, ca }: Proxy): Send => {
  const agent = new Agent({ keepAlive: true, ca, localAddress: clientAddress })
  return ({ method = 'GET', path, headers = {}, body = [], pauseMs = 0 }) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', servername: 'localhost', port, agent, method, path }
      const length = body.length === 0 ? {} : { 'content-length': Buffer.byteLength(body.join('')) }
      const whole = { host: 'localhost', 'content-type': 'application/json', ...length, ...headers }
      const sent = request({ ...options, headers: whole }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        )
      })
      sent.on('error', reject)
      void writeParts(body, pauseMs, (part) => sent.write(part)).then(() => sent.end())
    })
}

const writeParts = async (parts: string[], pauseMs: number, write: (part: string) => void): Promise<void> => {
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(pauseMs)
    write(part)
  }
}

interface Scene {
  proxy: Proxy
  send: Send
  replicas: [Program, Program]
  token: string
  tenant: string
  /** Starts the replica anew on its port. */
  restart: (index: 0 | 1) => Promise<void>
}

type Check = (scene: Scene) => Promise<string>

const logOf = ({ replicas }: Scene) => replicas.flatMap((replica) => replica.log())

const reachesBoth: Check = async ({ send, replicas }) => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => send({ path: '/api/version' })))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  for (const replica of replicas) assert(replica.log().some(({ path }) => path === '/api/version'))
  assert.match(String(answers[0]?.headers['strict-transport-security']), /max-age/)
  return 'both replicas answer, and know that the client came by TLS'
}

const namesClient: Check = async (scene) => {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example.com' }
  await scene.send({ path: '/api/v1/auth/forged', headers })
  await sleep(100)
  const lines = logOf(scene).filter(({ path }) => path === '/api/v1/auth/forged')
  assert.deepEqual(
    lines.map(({ ip }) => ip),
    [clientAddress],
  )
  return "the service sees the client's address, not the header that the client made up"
}

const hidesMetrics: Check = async ({ send, replicas }) => {
  // A replica on a loopback address answers there.
  assert.equal((await fetch(`${replicas[0].url}/metrics`)).status, 200)
  const paths = [
    '/metrics',
    '/metrics/',
    '/metrics?x=1',
    '/%6detrics',
    '/./metrics',
    '//metrics',
    '/x/../metrics',
  ]
  for (const path of [...paths, '/metrics%2f', '/METRICS', '/metrics;x']) {
    const { body } = await send({ path })
    assert.doesNotMatch(body, /tenantry_|process_cpu/, path)
  }
  return `no metrics at ${paths.join(' ')}`
}

const keepsHeaders: Check = async ({ send, token, tenant }) => {
  const headers = { authorization: `Bearer ${token}` }
  const path = '/api/v1/rbac/roles'
  const one = await send({ path, headers: { ...headers, 'x-tenant-id': tenant } })
  const two = await send({ path, headers: { ...headers, 'x-tenant-id': [tenant, tenant] } })
  assert.deepEqual([one.status, two.status], [200, 400])
  return 'X-Tenant-ID arrives, and a repeated one is refused'
}

const passesBodies: Check = async ({ send }) => {
  const login = (letters: number) =>
    send({
      method: 'POST',
      path: '/api/v1/auth/login',
      body: [JSON.stringify({ email, password: 'x'.repeat(letters) })],
    })
  const [large, tooLarge] = [await login(1_000_000), await login(1_200_000)]
  assert.deepEqual([JSON.parse(large.body).code, tooLarge.status], [40001, 413])
  return 'a body of 1 MB reaches the service, and the service refuses a larger one'
}

/** Sends requests in turn until told to stop. Returns their count, and how often each of them failed. */
const load = ({ send, token, tenant }: Scene, clients: number) => {
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant }
  const calls: Call[] = [
    { path: '/api/v1/users?page_size=20', headers },
    { method: 'POST', path: '/api/v1/authz/check', headers, body: ['{"permissions":["user:read"]}'] },
    { path: '/api/v1/rbac/roles', headers },
    { method: 'PUT', path: '/api/v1/settings/tenant/deploy.tried', headers, body: ['{"value":', '1}'] },
  ]
  const failures: Record<string, number> = {}
  const end = new AbortController()
  let count = 0
  const client = async (turn: number): Promise<void> => {
    for (let at = turn; !end.signal.aborted; at++) {
      const call = calls[at % calls.length] ?? { path: '/' }
      const status = await send(call).then((answer) => answer.status, String)
      count++
      const failure = `${call.method ?? 'GET'} ${call.path} ${status}`
      if (status !== 200) failures[failure] = (failures[failure] ?? 0) + 1
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, turn) => client(turn)))
  return async () => {
    end.abort()
    await ended
    return { count, failures }
  }
}

const stops = 6

/** Stops the replicas in turn by SIGTERM under load. Returns the load's result and the time of the slowest stop. */
const stopInTurn = async (scene: Scene, { takeOut, putBack }: Drain) => {
  const end = load(scene, 12)
  let slowestMs = 0
  for (let turn = 0; turn < stops; turn++) {
    const index = (turn % 2) as 0 | 1
    // The proxy asks once a second whether the other replica is back.
    await sleep(2500)
    await takeOut(index)
    // Requests that the proxy had sent by then end.
    await sleep(500)
    const since = performance.now()
    assert.equal(await scene.replicas[index].end('SIGTERM'), 0)
    slowestMs = Math.max(slowestMs, performance.now() - since)
    await scene.restart(index)
    await putBack(index)
  }
  return { ...(await end()), slowestMs: Math.round(slowestMs) }
}

const losesNothing: Check = async (scene) => {
  const { drain } = scene.proxy
  if (!drain) return 'stops of replicas that were taken out first are not tried'
  const { count, failures, slowestMs } = await stopInTurn(scene, drain)
  assert.deepEqual(failures, {}, `of ${count} requests: ${JSON.stringify(failures)}`)
  return `${stops} stops, taken out first: none of ${count} requests failed; the slowest stop took ${slowestMs} ms`
}

const nothing = () => Promise.resolve()

const losesNoRead: Check = async (scene) => {
  const { count, failures } = await stopInTurn(scene, { takeOut: nothing, putBack: nothing })
  const reads = Object.keys(failures).filter((failure) => failure.startsWith('GET'))
  assert.deepEqual(reads, [], `of ${count} requests: ${JSON.stringify(failures)}`)
  const others = Object.values(failures).reduce((sum, times) => sum + times, 0)
  return `${stops} stops, not taken out: no GET of ${count} requests failed; ${others} writes did`
}

const finishesRequests: Check = async ({ send, replicas, restart }) => {
  const text = JSON.stringify({ email, password })
  const body = [text.slice(0, 9), text.slice(9)]
  // One of the two replicas has the request, so both stop.
  const slow = send({ method: 'POST', path: '/api/v1/auth/login', body, pauseMs: 3000 })
  await sleep(500)
  const since = performance.now()
  const codes = Promise.all(replicas.map((replica) => replica.end('SIGTERM')))
  assert.equal((await slow).status, 200)
  assert.deepEqual(await codes, [0, 0])
  const ms = Math.round(performance.now() - since)
  assert(ms < replicaMs)
  await restart(0)
  await restart(1)
  return `a sign-in that was half sent at the stop is answered; both replicas ended after ${ms} ms`
}

const endsStalled: Check = async ({ send, replicas, restart }) => {
  const slow = send({ method: 'POST', path: '/api/v1/auth/login', body: ['{', '}'], pauseMs: 15_000 }).catch(
    () => null,
  )
  await sleep(500)
  const since = performance.now()
  assert.deepEqual(await Promise.all(replicas.map((replica) => replica.end('SIGTERM'))), [0, 0])
  const ms = Math.round(performance.now() - since)
  assert(ms >= replicaMs && ms < replicaMs + 2000, `${ms} ms`)
  await restart(0)
  await restart(1)
  await slow
  return `a request that never ends delays a stop by ${ms} ms`
}

const checks = [
  reachesBoth,
  namesClient,
  hidesMetrics,
  keepsHeaders,
  passesBodies,
  losesNothing,
  losesNoRead,
  finishesRequests,
  endsStalled,
]

const setScene = async (startProxy: StartProxy, folder: string, env: Record<string, string>) => {
  const ports: [number, number] = [await freePort(), await freePort()]
  const startAt = (port: number) =>
    start({ ...env, PORT: String(port), TENANTRY_TRUSTED_PROXIES: '127.0.0.1' })
  const replicas: [Program, Program] = [await startAt(ports[0]), await startAt(ports[1])]
  const registered = await ask(replicas[0], 'POST /auth/register', {
    body: { email, username: 'root', password },
  })
  const signedIn =
    registered.status < 300
      ? registered
      : await ask(replicas[0], 'POST /auth/login', { body: { email, password } })
  const { access_token: token } = signedIn.body.data
  const me = await ask(replicas[0], 'GET /authz/permissions', { token })
  const proxy = await startProxy(folder, ports)
  const restart = async (index: 0 | 1) => void (replicas[index] = await startAt(ports[index]))
  const scene: Scene = {
    proxy,
    send: sender(proxy),
    replicas,
    token,
    tenant: me.body.data.tenant_id,
    restart,
  }
  return { scene, stop: proxy.stop }
}

/** Runs all checks behind one proxy, and returns how many failed. */
const tryProxy = async (name: string, startProxy: StartProxy, folder: string): Promise<number> => {
  const stores = await createStores()
  mkdirSync(folder)
  let failed = 0
  try {
    const { scene, stop } = await setScene(startProxy, folder, stores.env)
    for (const check of checks) {
      const line = await check(scene).catch((err: unknown) => `FAILED ${check.name}: ${String(err)}`)
      if (line.startsWith('FAILED')) failed++
      print(`${name}: ${line}`)
    }
    await stop()
    await Promise.all(scene.replicas.map((replica) => replica.end('SIGTERM')))
  } finally {
    endAll()
    await stores.remove()
  }
  return failed
}

const proxies = { caddy: startCaddy, haproxy: startHaproxy }

const main = async (): Promise<number> => {
  const unset = ['DATABASE_URL', 'REDIS_URL'].filter((name) => !process.env[name])
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(proxies)
  const absent = missing(['openssl', ...chosen])
  const faults = [
    ...unset.map((name) => `${name} is not set`),
    ...absent.map((name) => `${name} is missing: not tried`),
  ]
  print(faults.join('\n'))
  if (unset.length > 0) return 1
  const folder = newFolder()
  let failed = absent.length
  for (const [name, startProxy] of Object.entries(proxies)) {
    const isTried = chosen.includes(name) && !absent.includes(name)
    if (isTried) failed += await tryProxy(name, startProxy, join(folder, name))
  }
  rmSync(folder, { recursive: true })
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
