import { send } from './batch.ts'
import type { Outcome, Statement } from './batch.ts'
import type { Store } from './client.ts'
import type { ConnectionConfig } from './connection.ts'
import type { Lane } from './lane.ts'
import { openLane, repeatStale } from './lane.ts'
import type { Pool, PoolLimits } from './pool.ts'
import { openPool } from './pool.ts'
import { dbOver, scopeStatement } from './scope.ts'
import { takeSnapshot, type CopyTo } from './snapshot.ts'
import { runTransaction } from './transaction.ts'

/** How the two engines differ, once a connection is made. */
export interface StoreSettings {
  engine: Store['engine']
  connection: ConnectionConfig
  /** Shared pipelined connections for reads; 0 where there is only one session. */
  lanes: number
  limits: PoolLimits
  /** What the engine needs to have done every minute. */
  maintenance?: (pool: Pool) => Promise<void>
  copyTo?: CopyTo | undefined
  /** What is to be closed after the connections. */
  close: () => Promise<void>
}

/** A lane without a reply for this long is held up by a slow statement: reads go round it. */
const laneStallMs = 10
const pingMs = 1_000
const maintenanceMs = 60_000
const closeMs = 5_000

/** Opens a store over connections that are made with their first use. */
export function createStore({ engine, connection, limits, ...settings }: StoreSettings): Store {
  const config = { ...connection, pipeline: true }
  const lanes = Array.from({ length: settings.lanes }, () => openLane(config))
  // Of its own, so that a database with much to do is not taken for one that is away.
  const probe = settings.lanes > 0 ? openLane(config) : undefined
  const pool = openPool(config, limits)
  const maintain = () => void settings.maintenance?.(pool).catch(() => {}) // the next minute tries again
  const timer = setInterval(maintain, maintenanceMs).unref()

  function sendBatch<Row>(statements: Statement[]): Promise<Outcome<Row>> {
    const lane = isShortRead(statements.at(-1)) ? leastBusy(lanes) : undefined
    if (lane && lane.stalledMs() < laneStallMs) return lane.send<Row>(statements, limits.replyMs)
    return pool.lend((client, replyMs) => repeatStale(() => send<Row>(client, statements, replyMs)))
  }

  const scoped: Store['scoped'] = (scope) =>
    dbOver((statement) => sendBatch([scopeStatement(scope, 'tenantry_app'), statement]))

  const { copyTo } = settings
  return {
    engine,
    scoped,
    ...(copyTo && {
      snapshot: (folder) => pool.lend((client) => takeSnapshot(client, copyTo, folder)),
    }),
    transaction: (scope, work, role = 'tenantry_app') =>
      runTransaction(pool, limits.replyMs, { scope, role }, work),
    reading: (scope, work) =>
      runTransaction(pool, limits.replyMs, { scope, role: 'tenantry_app', mode: singleMoment }, work),
    ping: () => ping(engine, probe ? (statements) => probe.send(statements, limits.replyMs) : sendBatch),
    stats: () => stats(lanes, pool),
    async close() {
      clearInterval(timer)
      const ends = Promise.allSettled([...lanes, probe, pool].map(async (part) => part?.close()))
      await Promise.race([ends, after(closeMs, undefined)])
      await settings.close()
    },
  }
}

const singleMoment = 'isolation level repeatable read read only'

/** One session, kept busy by one long statement, is alive: when it is not, it says so at once. */
const silenceMeans = { embedded: 'up', postgres: 'down' } as const

function ping(engine: Store['engine'], ask: (statements: Statement[]) => Promise<unknown>) {
  const asked = ask([{ text: 'select 1', values: [] }]).then(
    () => 'up' as const,
    () => 'down' as const,
  )
  return Promise.race([asked, after(pingMs, silenceMeans[engine])])
}

/**
 * Reads share the lanes. Whatever writes goes to a connection of its own, where a row lock it waits for holds up nobody
 * else; so does a read that begins with `mayTakeLong`.
 */
const isShortRead = (statement: Statement | undefined) => /^\s*select\b/i.test(statement?.text ?? '')

const leastBusy = (lanes: Lane[]): Lane | undefined =>
  lanes.reduce<Lane | undefined>(
    (best, lane) => (best && best.pending() <= lane.pending() ? best : lane),
    undefined,
  )

function stats(lanes: Lane[], pool: Pool) {
  const { busy, idle, waiting } = pool.stats()
  const busyLanes = lanes.filter((lane) => lane.pending() > 0).length
  return { busy: busy + busyLanes, idle: idle + lanes.length - busyLanes, waiting }
}

const after = <T>(ms: number, value: T) =>
  new Promise<T>((resolve) => {
    setTimeout(resolve, ms, value).unref()
  })
