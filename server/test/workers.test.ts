/** Several workers, which clients see as one service. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'
import { eventually } from './waits.ts'

const password = 'correct horse battery'
const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined
const workers = { TENANTRY_WORKERS: '2' }

/** One request on a connection of its own: connections go to the workers in turn. 0: cut; -1: hanging. */
const statusOf = (url: string, path: string, token = ''): Promise<number> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const options = { agent: new Agent({ keepAlive: false }), headers, timeout: 30_000 }
    const asked = request(`${url}${path}`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('timeout', () => resolve(-1)).on('error', () => resolve(0))
    asked.end()
  })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The workers that have answered a request so far. */
const pidsOf = (program: Replica): number[] => [
  ...new Set(
    program
      .records()
      .filter(({ msg }) => msg === 'request')
      .map(({ pid }) => Number(pid)),
  ),
]

/** Sends requests on new connections until two living workers have answered. */
const awaitTwo = (program: Replica): Promise<number[]> =>
  eventually(async () => {
    await statusOf(program.url, '/api/version')
    const alive = pidsOf(program).filter(isAlive)
    expect(alive).toHaveLength(2)
    return alive
  })

describe.runIf(isOnServices)('two workers', () => {
  let stores: Stores
  let program: Replica
  beforeAll(async () => {
    stores = await createStores()
    program = await start({ ...stores.env, ...workers })
  })
  afterAll(async () => {
    endAll()
    await stores.remove()
  })

  const signIn = async () => {
    const account = { email: `${randomUUID()}@example.com`, username: randomUUID().slice(0, 30), password }
    const { body } = await ask(program, 'POST /auth/register', { body: account })
    return body.data.access_token as string
  }

  test('answer in turn on one port, which one line names when both are ready', async () => {
    expect(await awaitTwo(program)).toHaveLength(2)
    expect(program.records().filter(({ msg }) => String(msg).includes('ready'))).toHaveLength(1)
  })

  test('are one in the metrics: counts are added up, numbers about a process stand for each', async () => {
    const seen = async () => (await fetch(`${program.url}/metrics`)).text()
    const countIn = (text: string) => Number(/_count\{[^}]*"\/api\/version"[^}]*\} (\d+)/.exec(text)?.[1])
    const before = countIn(await seen())
    for (let index = 0; index < 6; index += 1) await statusOf(program.url, '/api/version')
    const text = await seen()
    expect(countIn(text)).toBe(before + 6)
    expect(text.match(/^process_resident_memory_bytes\{worker="\d+"\} \d+$/gm)).toHaveLength(2)
  })

  test('forget together: a session that ends at one ends at the other', async () => {
    const token = await signIn()
    const ping = () => statusOf(program.url, '/api/v1/ping', token)
    expect(await Promise.all([ping(), ping(), ping(), ping()])).toEqual([200, 200, 200, 200])
    const { body } = await ask(program, 'GET /profile', { token })
    const other = await ask(program, 'POST /auth/login', { body: { email: body.data.email, password } })
    const change = { old_password: password, new_password: `${password}!` }
    await ask(program, 'POST /password', { token: other.body.data.access_token, body: change })
    const areRefused = async () =>
      expect(await Promise.all([ping(), ping(), ping(), ping()])).toEqual([401, 401, 401, 401])
    // Sooner than the 1.5 s after which a worker forgets by itself; usually some 20 ms.
    await vi.waitFor(areRefused, { timeout: 1000, interval: 20 })
  })

  test('lose one to kill -9 with only its requests in flight, and it is replaced', async () => {
    const [victim = 0] = await awaitTwo(program)
    const statuses: number[] = []
    const over = new AbortController()
    const clients = [1, 2, 3, 4].map(async () => {
      while (!over.signal.aborted) statuses.push(await statusOf(program.url, '/healthz'))
    })
    await eventually(() => expect(statuses.length).toBeGreaterThan(50))
    process.kill(victim, 'SIGKILL')
    await eventually(() => expect(isAlive(victim)).toBe(false))
    await awaitTwo(program)
    over.abort()
    await Promise.all(clients)
    const failed = statuses.filter((status) => status !== 200)
    expect(failed.length).toBeLessThanOrEqual(clients.length)
    // None of them hangs: the connection that was being handed over is closed as well.
    expect(failed.every((status) => status === 0)).toBe(true)
  })

  test('finish requests in flight when they are stopped, and end with 0', async () => {
    const pids = await awaitTwo(program)
    const { hostname, port } = new URL(program.url)
    const slow = connect(Number(port), hostname)
    let answer = ''
    slow.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    slow.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
    await eventually(() => expect(answer).toContain('100 Continue'))
    const stopped = program.end('SIGTERM')
    // Node leaves a connection open that arrives as the last worker closes, so a silent one is asked again.
    const isOpen = () => Promise.race([statusOf(program.url, '/healthz'), sleep(1000, -1)])
    await eventually(async () => expect(await isOpen()).toBe(0))
    slow.write('{}')
    expect(await stopped).toBe(0)
    // The worker has read the body: it misses the e-mail in it.
    expect(answer).toMatch(/HTTP\/1\.1 400 /)
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('end with the process that minds them, however it ends', async () => {
    const orphaned = await start({ ...stores.env, ...workers })
    const pids = await awaitTwo(orphaned)
    await orphaned.end('SIGKILL')
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]))
    expect(await statusOf(orphaned.url, '/healthz')).toBe(0)
  })

  test('end with 1 when none is left, and their successors cannot start', async () => {
    const lost = await createStores()
    const doomed = await start({ ...lost.env, ...workers })
    const pids = await awaitTwo(doomed)
    const ended = doomed.end('SIGCONT')
    await lost.remove()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(1)
  })

  test('workers that cannot start print the reason in one line', async () => {
    const env = { ...workers, DATABASE_URL: `postgres://ada@127.0.0.1:${await freePort()}/x` }
    const { code, stderr } = await run(['start'], { ...env, LOG_LEVEL: 'fatal' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tenantry: cannot connect to PostgreSQL.*\n$/)])
  })
})

test('several workers on the embedded database are refused in one line', async () => {
  const { code, stderr } = await run(['start'], workers)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^tenantry: TENANTRY_WORKERS .*DATABASE_URL.*\n$/),
  ])
})
