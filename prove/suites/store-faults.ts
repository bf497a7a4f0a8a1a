import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { OwnPostgres } from '../own-postgres.ts'
import type { OwnServer } from '../own-server.ts'
import type { Group } from '../replica-group.ts'
import type { Stage } from './crash-writes.ts'
import { startRevocation } from './store-revocation.ts'
import { isBackSince, startTraffic, type Traffic } from './store-traffic.ts'
import { judge } from './store-verdict.ts'

/** A way in which a store goes away, and comes back. */
export interface Fault {
  /** Whether requests are served all the same. */
  isServed: boolean
  lastMs: number
  /** How long the traffic goes on after it at least. */
  afterMs?: number
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

/** Idle sessions of somebody else take every connection there is, also those that the service had. */
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
    lastMs,
    async begin() {
      isOver = false
      await fill()
      eating = eat()
      const text =
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'tenantry'"
      // One of them may come back between the other's end and ours.
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

/** Before a fault, and after it when all works again. */
const calmMs = 600
/** How long to wait for that. */
const patienceMs = 6000

const awaitBack = async (traffic: Traffic, urls: string[], afterMs: number): Promise<void> => {
  const since = performance.now()
  while (performance.now() < since + patienceMs && !isBackSince(traffic, since, urls)) await sleep(20)
  await sleep(Math.max(calmMs, since + afterMs - performance.now()))
}

/** Traffic at all replicas while a store goes away and comes back; throws when a promise is broken. */
export const proveFault = async ({ root, urls }: Group, stage: Stage, fault: Fault): Promise<string> => {
  const traffic = startTraffic(root, urls, stage)
  const revocation = await startRevocation(root, urls)
  let isAway = false
  try {
    await sleep(calmMs)
    // Without the database nothing can be taken: then it is taken as the last thing before.
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
    const outage = { from, awayAt, endingAt, until, isServed: fault.isServed }
    const evidence = await judge(root, traffic, outage)
    return `${evidence}; ${await revocation.judge()}`
  } finally {
    if (isAway) await fault.end().catch(() => {})
    await Promise.allSettled([traffic.stop(), revocation.judge()])
  }
}
