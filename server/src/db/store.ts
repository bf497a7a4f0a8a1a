import { send, type Outcome, type Statement } from './batch.ts'
import type { Scope, Store } from './client.ts'
import type { ConnectionConfig } from './connection.ts'
import type { Lane } from './lane.ts'
import { openLane } from './lane.ts'
import type { Pool, PoolLimits } from './pool.ts'
import { openPool } from './pool.ts'
import { repeatUndone } from './repeat.ts'
import { dbOver, longReadSettings, roleOf, scopeStatement } from './scope.ts'
import { takeSnapshot, type CopyTo } from './snapshot.ts'
import { runTransaction } from './transaction.ts'

/** The differences between the two engines. */
export interface StoreSettings {
  engine: Store['engine']
  connection: ConnectionConfig
  /** The number of shared pipelined connections for reads. 0 for an engine that has only one session. */
  lanes: number
  limits: PoolLimits
  /** The longest wait for a commit, in milliseconds. If undefined, that for a statement. */
  commitMs?: number
  /** Housekeeping of the engine, once a minute. */
  maintenance?: (pool: Pool) => Promise<void>
  copyTo?: CopyTo | undefined
  /** Closes the engine's own resources, after the connections are closed. */
  close: () => Promise<void>
}

/** A lane without a reply for this time runs a slow statement, and reads avoid it. */
const laneStallMs = 10
const pingMs = 1_000
const maintenanceMs = 60_000
const closeMs = 5_000

/** Opens a store whose connections are made with their first use. */
export function createStore({
  engine,
  connection,
  limits,
  commitMs = limits.replyMs,
  ...settings
}: StoreSettings): Store {
  const config = { ...connection, pipeline: true }
  const lanes = Array.from({ length: settings.lanes }, () => openLane(config))
  // The probe has a connection of its own, so that a busy database does not look unreachable.
  const probe = settings.lanes > 0 ? openLane(config) : undefined
  const pool = openPool(config, limits)
  const waits = { replyMs: limits.replyMs, commitMs }
  const maintain = () => void settings.maintenance?.(pool).catch(() => {}) // the next minute tries again
  const timer = setInterval(maintain, maintenanceMs).unref()

  function sendBatch<Row>(statements: Statement[]): Promise<Outcome<Row>> {
    const lane = statements.at(-1)?.needsOwnConnection ? undefined : leastBusy(lanes)
    if (lane && lane.stalledMs() < laneStallMs) return lane.send<Row>(statements, limits.replyMs)
    return pool.lend((client, replyMs) => repeatUndone(() => send<Row>(client, statements, replyMs)))
  }

  const scoped: Store['scoped'] = (scope) =>
    dbOver(<Row>(statement: Statement) => sendBatch<Row>(inScope(scope, statement)))

  const { copyTo } = settings
  return {
    engine,
    scoped,
    ...(copyTo && {
      snapshot: (folder) => pool.lend((client) => takeSnapshot(client, copyTo, folder)),
    }),
    transaction: (scope, work, role = 'tenantry_app') =>
      runTransaction({ pool, waits }, { scope, role }, work),
    reading: (scope, work) =>
      runTransaction({ pool, waits }, { scope, role: 'tenantry_app', mode: singleMoment }, work),
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

const inScope = (scope: Scope, statement: Statement): Statement[] => [
  scopeStatement(scope, roleOf(scope)),
  ...(statement.isLongRead ? [longReadSettings] : []),
  statement,
]

const singleMoment = 'isolation level repeatable read read only'

/** A silent embedded session is busy with a long statement. A broken session would answer at once. */
const silenceMeans = { embedded: 'up', postgres: 'down' } as const

function ping(engine: Store['engine'], ask: (statements: Statement[]) => Promise<unknown>) {
  const asked = ask([{ text: 'select 1', values: [] }]).then(
    () => 'up' as const,
    () => 'down' as const,
  )
  return Promise.race([asked, after(pingMs, silenceMeans[engine])])
}

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
