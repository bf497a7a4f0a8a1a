import { firstOf, send, type Load, type Request } from './load.ts'
import type { OperationName } from './operations.ts'
import type { Stores } from './stores.ts'
import { cpuSeconds, freePort, residentMB, start, until, type Command } from './process.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** What one round of one operation gave. */
export interface Sample {
  /** Successful answers a second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** Processor time of the server for one answer. */
  cpuMicros: number
  residentMB: number
  /** p99 of the event loop's delay during the round, where the server tells it. */
  loopDelayMs?: number
}

export interface Extent {
  connections: number
  seconds: number
}

/** One operation of a contender. */
export interface Round {
  /** Makes what is sent in one round. */
  prepare(connections: number): Promise<Load>
  run(load: Load, extent: Extent): Promise<Sample>
  /** The answer to the first request of a load, as JSON; undefined where nobody answers. Throws unless it succeeds. */
  ask(load: Load): Promise<unknown>
}

/** One of those compared. */
export interface Contender {
  name: string
  /** Operations that it has; what stands for ours is told in README.md beside this file. */
  rounds: Partial<Record<OperationName, Round>>
  /** Starts one more process of it on what is seeded; undefined where there is no server. */
  launch: (() => Promise<Server>) | undefined
  /** Resolves when it has done all that it was asked for. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Where a peer is: `peers/<name>/` with a lock file of its own. */
export interface PeerFolder {
  path: string
  stores: Stores
  cost: number
}

/** A server process that answers. */
export interface Server {
  url: string
  pid: number
  /** From the start of the process to its first answer. */
  startMs: number
  stop(): Promise<void>
}

/** Starts a server on a free port; resolves when `probe` (a path) gives its first successful answer. */
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

/** Waits until the process has done what it was still asked for. */
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
    const { path, ...request } = firstOf(load)
    return (await call(url, path, request)).json
  },
})

/** Prepares a round, and runs it when everything has settled, what prepared it included. */
export const runRound = async (
  round: Round,
  extent: Extent,
  settleAll: () => Promise<unknown>,
): Promise<Sample> => {
  const load = await round.prepare(extent.connections)
  await settleAll()
  return round.run(load, extent)
}

/** So many sign in at once to prepare a round of refreshes: with all of them at once some servers see an attack. */
const signInsAtOnce = 8

/** A round of refreshes: as many sign in as there are connections, and one more. */
export const refreshing = (
  server: Server,
  request: Request,
  signIn: () => Promise<{ refresh_token: string }>,
): Round =>
  roundOf(server, async (connections) => {
    const tokens: string[] = []
    while (tokens.length <= connections) {
      const some = Math.min(signInsAtOnce, connections + 1 - tokens.length)
      const pairs = await Promise.all(Array.from({ length: some }, signIn))
      tokens.push(...pairs.map(({ refresh_token: token }) => token))
    }
    return { requests: [request], tokens }
  })

/** What proves a caller expires; the first to do so is a cookie of five minutes. */
const signInMs = 60_000

/** Rounds of a caller who signs in anew every minute; `base` precedes all paths. */
export const roundsOfCaller = (server: Server, signIn: () => Promise<Record<string, string>>, base = '') => {
  let signedIn: { headers: Record<string, string>; at: number } | undefined
  const headersNow = async () => {
    if (!signedIn || performance.now() - signedIn.at > signInMs) {
      signedIn = { headers: await signIn(), at: performance.now() }
    }
    return signedIn.headers
  }
  const sending = (requests: Request[]): Round =>
    roundOf(server, async () => {
      const headers = await headersNow()
      return { requests: requests.map((one) => ({ ...one, path: `${base}${one.path}`, headers })) }
    })
  const reading = (...paths: string[]) => sending(paths.map((path) => ({ method: 'GET', path })))
  return { sending, reading }
}

/** A call made to prepare a round. Throws unless it succeeds. */
export const call = async (
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown },
): Promise<{ headers: Headers; json: any }> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  return { headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}
