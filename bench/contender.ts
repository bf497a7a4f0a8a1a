import { send, type Load, type Request } from './load.ts'
import type { OperationName } from './operations.ts'
import type { Stores } from './stores.ts'
import { cpuSeconds, freePort, residentMiB, start, until, type Command } from './process.ts'
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
  residentMiB: number
  /** p99 of the event loop's delay during the round, where the server tells it. */
  loopDelayMs?: number
}

export interface Extent {
  connections: number
  seconds: number
}

/** Runs one round. */
export type Round = (extent: Extent) => Promise<Sample>

/** One of those compared. */
export interface Contender {
  name: string
  /** Operations that it has; what stands for ours is told in README.md beside this file. */
  rounds: Partial<Record<OperationName, Round>>
  /** Starts one more process of it on what is seeded; undefined where there is no server. */
  launch: (() => Promise<Server>) | undefined
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

/** Waits until the process has done what it was still asked for when a round ended. */
export const settle = async (pid: number): Promise<void> => {
  const deadline = performance.now() + idleWaitMs
  for (let before = cpuSeconds(pid); performance.now() < deadline;) {
    await sleep(idleStepMs)
    const now = cpuSeconds(pid)
    if ((now - before) * 1000 < idleStepMs * idleShare) return
    before = now
  }
}

/** A round over HTTP; `prepare` makes what is sent, anew for each round. */
export const roundOf =
  ({ url, pid }: Server, prepare: (connections: number) => Promise<Load>): Round =>
  async (extent) => {
    const load = await prepare(extent.connections)
    await settle(pid)
    const before = cpuSeconds(pid)
    const { answers, ...answered } = await send(url, load, extent)
    const cpuMicros = ((cpuSeconds(pid) - before) / Math.max(1, answers)) * 1e6
    const sample = { ...answered, cpuMicros, residentMiB: residentMiB(pid) }
    await settle(pid)
    return sample
  }

/** Rounds of a caller who signs in anew for each of them, since what proves it expires; `base` precedes all paths. */
export const roundsOfCaller = (server: Server, signIn: () => Promise<Record<string, string>>, base = '') => {
  const sending = (requests: Request[]): Round =>
    roundOf(server, async () => {
      const headers = await signIn()
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
