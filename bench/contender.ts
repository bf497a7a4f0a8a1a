import { request } from '../lab/client.ts'
import { firstOf, send, type Load, type Request } from './load.ts'
import { seed, type OperationName } from './operations.ts'
import type { Stores } from './stores.ts'
import { freePort, start, until, type Command } from '../lab/processes.ts'
import { cpuSeconds, residentMB } from './process.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** The measurements of one round of one operation. */
export interface Sample {
  /** Successful answers a second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** Processor time of the server for one answer, in microseconds. */
  cpuMicros: number
  residentMB: number
  /** p99 of the event loop's delay during the round, where the server reports it. */
  loopDelayMs?: number
}

export interface Extent {
  connections: number
  seconds: number
}

/** One operation of a contender. */
export interface Round {
  /** Makes the requests of one round. */
  prepare(connections: number): Promise<Load>
  run(load: Load, extent: Extent): Promise<Sample>
  /**
   * Sends the first request of a load and resolves with its answer as JSON; undefined without a server. Throws unless
   * it succeeds.
   */
  ask(load: Load): Promise<unknown>
}

/** One of the compared servers. */
export interface Contender {
  name: string
  /** The operations that the contender has; bench/README.md lists them. */
  rounds: Partial<Record<OperationName, Round>>
  /** Starts one more process on the seeded data; undefined without a server. */
  launch: (() => Promise<Server>) | undefined
  /** Starts the same contender on the same rows with another cost of its bcrypt hashes. */
  withCost?: (cost: number) => Promise<Contender>
  /** Resolves when the contender has finished all work. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** A copy of `peers/<name>/` with its packages, outside of the tree. */
export interface PeerFolder {
  path: string
  stores: Stores
  cost: number
}

/** A running server process. */
export interface Server {
  url: string
  pid: number
  /** Milliseconds from the start of the process to its first answer. */
  startMs: number
  stop(): Promise<void>
}

/** Starts a server on a free port; resolves at the first successful answer to `probe`, a path. */
export const startServer = async (command: (port: number) => Command, probe: string): Promise<Server> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const running = start(command(port))
  try {
    await until(running, async () => (await fetch(`${url}${probe}`)).ok)
  } catch (err) {
    await running.stop()
    throw err
  }
  const startMs = performance.now() - startedAt
  return { url, pid: running.pid, startMs, stop: () => running.stop() }
}

const idleShare = 0.05
const idleStepMs = 200
const idleWaitMs = 15_000

/** Waits until the process is idle. */
export const settle = async (pid: number): Promise<void> => {
  const deadline = performance.now() + idleWaitMs
  for (let before = cpuSeconds(pid); performance.now() < deadline;) {
    await sleep(idleStepMs)
    const now = cpuSeconds(pid)
    if ((now - before) * 1000 < idleStepMs * idleShare) return
    before = now
  }
}

/** A round over HTTP. */
export const roundOf = ({ url, pid }: Server, prepare: Round['prepare']): Round => ({
  prepare,
  async run(load, extent) {
    const before = cpuSeconds(pid)
    const { answers, ...answered } = await send(url, load, extent)
    const cpuMicros = ((cpuSeconds(pid) - before) / Math.max(1, answers)) * 1e6
    return { ...answered, cpuMicros, residentMB: residentMB(pid) }
  },
  async ask(load) {
    const { path, ...options } = firstOf(load)
    return (await call(url, path, options)).json
  },
})

/** Prepares a round, waits until all contenders are idle, and runs it. */
export const runRound = async (
  round: Round,
  extent: Extent,
  settleAll: () => Promise<unknown>,
): Promise<Sample> => {
  const load = await round.prepare(extent.connections)
  await settleAll()
  return round.run(load, extent)
}

/** Sign-ins at once before a round of refreshes: some servers take more of them for an attack. */
const signInsAtOnce = 8

/** A round of refreshes: one sign-in for each connection, and one more. */
export const refreshing = (
  server: Server,
  refresh: Request,
  signIn: () => Promise<{ refresh_token: string }>,
): Round =>
  roundOf(server, async (connections) => {
    const tokens: string[] = []
    while (tokens.length <= connections) {
      const some = Math.min(signInsAtOnce, connections + 1 - tokens.length)
      const pairs = await Promise.all(Array.from({ length: some }, signIn))
      tokens.push(...pairs.map(({ refresh_token: token }) => token))
    }
    return { requests: [refresh], tokens }
  })

/** Gives the role to each of these users, then takes it from each. Tenantry and the NestJS peer have the same paths. */
export const assignments = (userIds: number[], roleId: number): Request[] => [
  ...userIds.map((id): Request => ({
    method: 'POST',
    path: `/rbac/users/${id}/roles`,
    body: { role_id: roleId },
  })),
  ...userIds.map((id): Request => ({ method: 'DELETE', path: `/rbac/users/${id}/roles/${roleId}` })),
]

/** Changes each seeded setting in turn. */
export const settingChanges = (pathOf: (key: string) => string): Request[] =>
  Array.from({ length: seed.settings }, (_none, index) => ({
    method: 'PUT',
    path: pathOf(`setting.${index + 1}`),
    body: { value: 'changed {n}' },
  }))

/** Credentials expire: the first are a cookie after five minutes. */
const signInMs = 60_000

/** Rounds of a caller who signs in again every minute; `base` precedes all paths. */
export const roundsOfCaller = (server: Server, signIn: () => Promise<Record<string, string>>, base = '') => {
  let signedIn: { headers: Record<string, string>; at: number } | undefined
  const headersNow = async () => {
    if (!signedIn || performance.now() - signedIn.at > signInMs) {
      signedIn = { headers: await signIn(), at: performance.now() }
    }
    return signedIn.headers
  }
  const sending = (requests: Request[], reset?: () => Promise<unknown>): Round =>
    roundOf(server, async () => {
      if (reset) {
        // Requests that the round before left in flight would undo it.
        await settle(server.pid)
        await reset()
      }
      const headers = await headersNow()
      return { requests: requests.map((one) => ({ ...one, path: `${base}${one.path}`, headers })) }
    })
  const reading = (...paths: string[]) => sending(paths.map((path) => ({ method: 'GET', path })))
  return { sending, reading }
}

/** A large tenant takes minutes to change. */
const callMs = 3_600_000

/** Sends a request that prepares a round. Throws unless it succeeds. */
export const call = async (
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown },
): Promise<{ headers: Headers; json: any }> => {
  const sent = typeof body === 'string' ? { form: body } : { body }
  const answer = await request(url, method, path, { headers, ...sent, timeoutMs: callMs })
  if (answer.status < 200 || answer.status > 299) {
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  return { headers: answer.headers, json: answer.body }
}
