import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { OwnPostgres } from '../../../lab/own-postgres.ts'
import type { OwnServer } from '../../../lab/own-server.ts'
import type { Group } from '../../replica-group.ts'
import type { Stage } from '../crash/writes.ts'
import { startRevocation } from './revocation.ts'
import { isBackSince, startTraffic, type Traffic } from './traffic.ts'
import { judge, say } from './verdict.ts'

/** A way in which a store fails and recovers. */
export interface Fault {
  /** Whether the service answers requests during the fault. */
  isServed: boolean
  /** Whether a replica may keep a connection during the fault. */
  isPartial?: boolean
  lastMs: number
  /** The least time of traffic after the fault. */
  afterMs?: number
  /** The time after the fault within which everything has to work. */
  recoveryMs?: number
  begin: () => Promise<void>
  end: () => Promise<void>
}

export const killed = (server: OwnServer, isServed: boolean, lastMs: number): Fault => ({
  isServed,
  lastMs,
  begin: () => server.kill(),
  end: () => server.start(),
})

export const frozen = (server: OwnServer, isServed: boolean, lastMs: number): Fault => ({
  isServed,
  lastMs,
  begin: async () => server.freeze(),
  end: async () => server.thaw(),
})

const openSession = async (url: string): Promise<pg.Client | undefined> => {
  const client = new pg.Client({ connectionString: url, application_name: 'idle' })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

/** Idle sessions of another client take every connection, including those that the service had. */
export const exhausted = (postgres: OwnPostgres, lastMs: number): Fault => {
  const sessions: pg.Client[] = []
  let isOver = false
  let eating: Promise<void> | undefined
  const over = () => isOver
  const eat = async (): Promise<void> => {
    while (!over()) {
      const more = await openSession(postgres.url)
      if (more) sessions.push(more)
      else await sleep(5)
    }
  }
  const fill = async (): Promise<void> => {
    for (let more = await openSession(postgres.url); more; more = await openSession(postgres.url)) {
      sessions.push(more)
    }
  }
  return {
    isServed: false,
    // A replica that connects just before the last place is taken keeps that connection.
    isPartial: true,
    lastMs,
    async begin() {
      isOver = false
      await fill()
      eating = eat()
      const text =
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'tenantry'"
      // The service may reconnect between the end of its session and the next attempt to take its place.
      for (let round = 0; round < 8; round += 1) {
        await sessions[0]?.query(text)
        await sleep(10)
      }
    },
    async end() {
      isOver = true
      await eating
      await Promise.all(sessions.splice(0).map((session) => session.end()))
    },
  }
}

/** The time of traffic before a fault, and after recovery. */
const calmMs = 600
/** The time limit for recovery. */
const patienceMs = 6000

const awaitBack = async (traffic: Traffic, urls: string[], afterMs: number): Promise<void> => {
  const since = performance.now()
  while (performance.now() < since + patienceMs && !isBackSince(traffic, since, urls)) await sleep(20)
  await sleep(Math.max(calmMs, since + afterMs - performance.now()))
}

/** The time within which everything works again, unless a fault says otherwise. */
const recoveryMs = 3000

type Reached = Pick<Group, 'root' | 'urls'>

/** Sends traffic to all replicas while a store fails and recovers. Throws when a promise is broken. */
export const observeFault = async ({ root, urls }: Reached, stage: Stage, fault: Fault) => {
  const traffic = startTraffic(root, urls, stage)
  const revocation = await startRevocation(root, urls)
  let isAway = false
  try {
    await sleep(calmMs)
    // Without the database no permission can be taken, so it is taken right before the fault.
    if (!fault.isServed) await revocation.revoke()
    const from = performance.now()
    isAway = true
    await fault.begin()
    const awayAt = performance.now()
    await sleep(fault.lastMs / 2)
    if (fault.isServed) await revocation.revoke()
    await sleep(fault.lastMs / 2)
    isAway = false
    const endingAt = performance.now()
    await fault.end()
    const until = performance.now()
    await awaitBack(traffic, urls, fault.afterMs ?? 0)
    await traffic.stop()
    const outage = { isPartial: false, recoveryMs, ...fault, from, awayAt, endingAt, until }
    const figures = await judge(root, traffic, outage)
    return { figures, revocation: await revocation.judge() }
  } finally {
    if (isAway) await fault.end().catch(() => {})
    await Promise.allSettled([traffic.stop(), revocation.judge()])
  }
}

/** The same, with the evidence as text. */
export const proveFault = async (group: Reached, stage: Stage, fault: Fault): Promise<string> => {
  const { figures, revocation } = await observeFault(group, stage, fault)
  return `${say(figures)}; ${revocation}`
}
