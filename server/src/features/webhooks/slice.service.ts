/** Delivers the next records of one hook, one after the other, and records what became of them. */
import type { Ctx, Parts } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { sweepBatch } from '../../db/sweep.ts'
import type { FeedRecord, Place } from '../audit/feed.service.ts'
import * as deliveries from './deliveries.store.ts'
import { disableWebhook } from './disabling.service.ts'
import { slowMs, type Place as HookPlace } from './places.ts'
import { isBefore } from './replay.service.ts'
import { attemptOf, sendEvent } from './sending.service.ts'
import type { Hook } from './webhooks.service.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const laterAttempts = 12

/** The pauses after failed attempts (docs/contract.md, "Webhooks"): the last twelve are 3 days. */
const pausesMs = [
  5000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  ...Array.from({ length: laterAttempts }, () => 6 * hourMs),
]

/** The outcome of deliveries is stored after this time, or after so many. */
const flushMs = 500
const flushRows = 50
/** A slice ends after this time: the next one looks at hook, editor and tenant again. */
const sliceMs = 2000
/** Deliveries of a hook that are kept. */
const deliveriesKept = 10_000

/** The tenant's turn: the lease of this replica, and the pace of deliveries. */
export interface Turn {
  replicaId: string
  /** False when this replica has to stop at once. */
  isMine: () => boolean
  /** Resolves when the next delivery of the tenant may go out. */
  next: () => Promise<void>
}

/** A record, or an event of the hook's own. */
export interface Event extends Pick<FeedRecord, 'log' | 'digest' | 'place' | 'next'> {
  isHeard: boolean
  /** The counted records that a gap tells. */
  told?: number
}

interface Slice {
  ctx: Ctx
  hook: Hook
  secrets: string[]
  turn: Turn
  held: HookPlace
}

/** Deliveries that are not stored yet. */
interface Unstored {
  rows: deliveries.NewDelivery[]
  /** The place behind the last of them. */
  place: Place
  attempts: number
  lastDeliveredAt: Date | undefined
  told: number
  since: number
}

/** Another replica or a person has taken the hook away. */
export class Taken extends Error {}

/**
 * Stores deliveries and the hook's place in one transaction: a record is stored once for each pass of the hook. Throws
 * Taken, without storing anything, when the hook is not this replica's any more.
 */
const flush = async (
  { ctx: { parts }, hook, turn, held }: Slice,
  unstored: Unstored,
  nextAttemptAt: Date,
): Promise<void> => {
  const { rows, place, attempts, lastDeliveredAt, told } = unstored
  await parts.store.transaction({ tenantId: hook.tenant_id }, async (db) => {
    const progress = { ...place, attempts, nextAttemptAt, lastDeliveredAt, told, isSlow: held.isSlow }
    if ((await deliveries.updateProgress(db, hook, progress, turn.replicaId)) === 0) throw new Taken()
    const [first, ...others] = rows
    if (!first) return
    const isSettled = (await deliveries.updateOpenDelivery(db, hook, first)) > 0
    deliveries.insertDeliveries(db, hook, isSettled ? others : rows)
    deliveries.trimDeliveries(db, hook, deliveriesKept)
  })
  for (const { status } of rows) parts.metrics.webhookDeliveries.inc({ status })
  Object.assign(unstored, { rows: [], told: 0, since: performance.now() })
}

const rowOf = (
  { log, digest }: Event,
  now: Date,
  row: Pick<deliveries.NewDelivery, 'status' | 'attempts'> & Partial<deliveries.NewDelivery>,
): deliveries.NewDelivery => ({
  event_id: log.id,
  event: log.action,
  response_status: null,
  error: '',
  created_at: now,
  next_attempt_at: null,
  delivered_at: null,
  history: [],
  event_tenant_id: log.tenant_id,
  own_event: log.id === 0 ? { log, digest: digest.toString('base64') } : null,
  ...row,
})

/** Delivers events in order; false when the hook has to wait. Throws Taken. */
export const deliverSlice = async (slice: Slice, events: Event[]): Promise<boolean> => {
  const { hook, turn } = slice
  const { parts } = slice.ctx
  const begun = performance.now()
  const unstored: Unstored = {
    rows: [],
    place: hook,
    attempts: hook.attempts,
    lastDeliveredAt: undefined,
    told: 0,
    since: begun,
  }
  for (const event of events) {
    const isDone = await pass(slice, event, unstored)
    if (!isDone) return false
    const now = performance.now()
    const isDue = now - unstored.since > flushMs || unstored.rows.length >= flushRows
    if (isDue) await flush(slice, unstored, parts.now())
    if (now - begun > sliceMs || !turn.isMine()) break
  }
  await flush(slice, unstored, parts.now())
  return turn.isMine()
}

/** Passes one event: silently, as dead, or by a delivery. False when the delivery failed, which is stored. */
const pass = async (slice: Slice, event: Event, unstored: Unstored): Promise<boolean> => {
  const { hook } = slice
  const { parts } = slice.ctx
  if (event.isHeard) {
    const isSkipped = isBefore(event.place, { seal: hook.skip_seal, position: hook.skip_position })
    if (isSkipped) {
      unstored.rows.push(rowOf(event, parts.now(), { status: 'dead', attempts: unstored.attempts }))
    } else if (!(await attempt(slice, event, unstored))) {
      return false
    }
  }
  Object.assign(unstored, { place: event.next, attempts: 0, told: unstored.told + (event.told ?? 0) })
  return true
}

const attempt = async (slice: Slice, event: Event, unstored: Unstored): Promise<boolean> => {
  const { ctx, hook, secrets, turn, held } = slice
  const { parts } = ctx
  await turn.next()
  if (!turn.isMine()) throw new Taken()
  held.waitsSince = performance.now()
  const at = parts.now()
  const outcome = await sendEvent(parts, hook.url, event, { secrets, at })
  Object.assign(held, { isSlow: outcome.durationMs > slowMs, waitsSince: undefined })
  parts.metrics.webhookAttempts.inc({ result: outcome.isTaken ? 'taken' : 'failed' })
  const now = parts.now()
  const attempts = unstored.attempts + 1
  const row = {
    ...rowOf(event, now, {
      status: outcome.isTaken ? 'delivered' : 'pending',
      attempts,
      error: outcome.error,
      history: [attemptOf(at, outcome)],
    }),
    response_status: outcome.status ?? null,
  }
  if (outcome.isTaken) {
    unstored.rows.push({ ...row, delivered_at: now })
    unstored.lastDeliveredAt = now
    return true
  }
  await storeFailure(slice, row, { unstored, attempts, isGone: outcome.status === 410 })
  return false
}

/** Stores a failed attempt: it is repeated after a pause, or the hook is disabled. */
const storeFailure = async (
  slice: Slice,
  row: deliveries.NewDelivery,
  { unstored, attempts, isGone }: { unstored: Unstored; attempts: number; isGone: boolean },
): Promise<void> => {
  const { ctx, hook } = slice
  const pauseMs = isGone ? undefined : pausesMs[attempts - 1]
  const now = ctx.parts.now()
  const due = new Date(now.getTime() + (pauseMs ?? 0))
  const status = pauseMs === undefined ? 'failed' : 'pending'
  unstored.rows.push({ ...row, status, next_attempt_at: pauseMs === undefined ? null : due })
  unstored.attempts = attempts
  await flush(slice, unstored, due)
  if (pauseMs !== undefined) return
  const reason = isGone ? 'The receiver answered 410 Gone' : `No attempt succeeded for 3 days: ${row.error}`
  await disableWebhook(ctx, hook, reason)
}

/** The age of the oldest seal that a webhook waits for, in any tenant; 0 when none waits. */
export const oldestEventSeconds = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> => {
  const found = await database.transaction({}, deliveries.selectOldestWaiting, 'tenantry_search')
  return found?.oldest ? Math.max(0, (now().getTime() - found.oldest.getTime()) / 1000) : 0
}

/** A backlog is counted over so many seals: a scrape has two seconds. */
const countedSealsMax = 10_000

/** Counts the records that webhooks of all tenants wait for, by whole seals. */
export const countBacklog = async ({ store: database }: Pick<Parts, 'store'>): Promise<number> => {
  const count = (db: Db) => deliveries.countWaiting(db, countedSealsMax)
  return (await database.transaction({}, count, 'tenantry_search'))?.count ?? 0
}

/** Deletes deliveries of all tenants that are older than 30 days. */
export const sweepDeliveries = async ({ store: database }: Pick<Parts, 'store'>): Promise<void> => {
  const rowsMax = 1000
  while (await sweepBatch(database, deliveries.oldDeliveries, rowsMax));
}
