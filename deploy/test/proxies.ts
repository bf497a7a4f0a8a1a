/**
 * `npm run test:proxies`: Caddy and HAProxy with the files of deploy/, in front of two replicas on the PostgreSQL and
 * Redis that DATABASE_URL and REDIS_URL name. `-- haproxy` tries one of them. The login must be allowed to create
 * databases. Everything listens on this machine. The script makes a database, drops it, and ends with 1 when a
 * guarantee does not hold or a program is missing.
 */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStores, endAll, newFolder } from '../../server/test/programs.ts'
import { clientAddress, email, password, underLoad } from './load.ts'
import { missing, startCaddy, startHaproxy, type StartProxy } from './proxy.ts'
import { noticeMs, setScene, type Scene } from './scene.ts'

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const replicaMs = 9000

type Check = (scene: Scene) => Promise<string>

const logOf = ({ replicas }: Scene) => replicas.flatMap((replica) => replica.records())

const reachesBoth: Check = async ({ send, replicas }) => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => send({ path: '/api/version' })))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await sleep(100)
  for (const replica of replicas) assert(replica.records().some(({ path }) => path === '/api/version'))
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

const stops = 10

const losesNothing: Check = async (scene) => {
  let slowestMs = 0
  const { count, writes, failures } = await underLoad(scene, async () => {
    for (let turn = 0; turn < stops; turn++) {
      const index = (turn % 2) as 0 | 1
      const since = performance.now()
      assert.equal(await scene.replicas[index].end('SIGTERM'), 0)
      slowestMs = Math.max(slowestMs, performance.now() - since)
      await scene.restart(index)
      await sleep(noticeMs)
    }
  })
  assert.deepEqual(failures, {}, `of ${count} requests: ${JSON.stringify(failures)}`)
  const slowest = `the slowest stop took ${Math.round(slowestMs)} ms`
  return `${stops} stops by SIGTERM: none of ${count} requests failed, ${writes} of them writes; ${slowest}`
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
  finishesRequests,
  endsStalled,
]

/** Runs all checks behind one proxy, and returns how many failed. */
const tryProxy = async (name: string, startProxy: StartProxy, folder: string): Promise<number> => {
  const stores = await createStores()
  mkdirSync(folder)
  let failed = 0
  try {
    const scene = await setScene(startProxy, folder, stores.env)
    for (const check of checks) {
      const line = await check(scene).catch((err: unknown) => `FAILED ${check.name}: ${String(err)}`)
      if (line.startsWith('FAILED')) failed++
      print(`${name}: ${line}`)
    }
    await scene.close()
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
