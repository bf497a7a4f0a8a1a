/**
 * Delivers the next records of one hook, one after the other, and stores the outcomes: a state machine.
 *
 *  advanced, stored
 *      ┌─────┐
 *      ▼     │      refused        stored
 *   ┌────────────┐ ───────▶ ┌─────────┐ ───────▶ ┌─────────┐
 *   │ delivering │          │ refused │          │ waiting │
 *   └────────────┘          └─────────┘          └─────────┘
 *         │       not stored     │
 *         └──────────┬───────────┘
 *                    ▼
 *                ┌──────┐
 *                │ lost │
 *                └──────┘
 *
 * `waiting`: the event is tried again later, or the hook was disabled. `lost`: another replica has the hook, or a person
 * has changed it. Events with unstored outcomes are then delivered again.
 */
import type { Ctx } from '../../../context.ts'
import type { FeedRecord } from '../../audit/audit/feed.service.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import { isBefore } from '../../audit/audit/sealed-log.service.ts'
import * as deliveries from './deliveries.store.ts'
import { disableWebhook, notifyFailing, settleFailing } from './disabling.service.ts'
import { slowMs, type WebhookSlot } from './slots.ts'
import { attemptOf, sendEvent } from './sending.service.ts'
import type { Hook } from './webhooks.service.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const laterAttempts = 12

/** The pauses after failed attempts (docs/contract.md, "Webhooks"). The last twelve make up 3 days. */
const pausesMs = [
  5000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  hourMs,
  ...Array.from({ length: laterAttempts }, () => 6 * hourMs),
]

/** Outcomes are stored after this time, or after this number of them. */
const flushMs = 500
const flushRows = 50
/** The length of a slice. The next slice reads hook, editor and tenant again. */
const sliceMs = 2000
const deliveriesKept = 10_000

/** The lease of this replica on the tenant, and its pace of deliveries. */
export interface DeliveryTurn {
  replicaId: string
  /** False when this replica must stop at once. */
  isMine: () => boolean
  /** Resolves when the tenant's pace allows the next delivery. */
  next: () => Promise<void>
}

/** An audit record, or an event that the hook itself causes. */
export interface WebhookEvent extends Pick<FeedRecord, 'log' | 'digest' | 'position' | 'next'> {
  isSubscribed: boolean
  /** The number of missed records that a gap event reports. */
  reported?: number
}

interface Slice {
  ctx: Ctx
  hook: Hook
  secrets: string[]
  turn: DeliveryTurn
  held: WebhookSlot
}

/** The outcomes that are not stored yet. */
interface Unstored {
  rows: deliveries.NewDelivery[]
  /** The position after the last event that was delivered or skipped. */
  position: AuditPosition
  /** The number of attempts at the next event. */
  attempts: number
  lastDeliveredAt: Date | undefined
  reported: number
  since: number
}

type Delivering = { name: 'delivering' } & Unstored
/** An attempt has failed. The next attempt is due at `due`. With a `reason`, the hook is disabled instead. */
type Refused = { name: 'refused'; due: Date; reason: string } & Unstored
export type State = Delivering | Refused | { name: 'waiting' } | { name: 'lost' }

const begin = ({ hook: { seal, index, attempts } }: Slice): Delivering => ({
  name: 'delivering',
  rows: [],
  position: { seal, index },
  attempts,
  lastDeliveredAt: undefined,
  reported: 0,
  since: performance.now(),
})

/** The state after the delivery or the skip of an event. */
const advanced = (
  state: Delivering,
  { next, reported = 0 }: WebhookEvent,
  row?: deliveries.NewDelivery,
): Delivering => ({
  ...state,
  rows: row ? [...state.rows, row] : state.rows,
  position: next,
  attempts: 0,
  lastDeliveredAt: row?.delivered_at ?? state.lastDeliveredAt,
  reported: state.reported + reported,
})

/** The state after a failed attempt: the event is tried again after a pause, or the hook is disabled. */
const refused = (state: Delivering, row: deliveries.NewDelivery, now: Date): Refused => {
  const isGone = row.response_status === 410
  const pauseMs = isGone ? undefined : pausesMs[row.attempts - 1]
  const due = new Date(now.getTime() + (pauseMs ?? 0))
  const settled =
    pauseMs === undefined
      ? { status: 'failed' as const }
      : { status: 'pending' as const, next_attempt_at: due }
  const end = isGone ? 'The receiver answered 410 Gone' : `No attempt succeeded for 3 days: ${row.error}`
  return {
    ...state,
    name: 'refused',
    rows: [...state.rows, { ...row, ...settled }],
    attempts: row.attempts,
    due,
    reason: pauseMs === undefined ? end : '',
  }
}

export const deliverSlice = async (slice: Slice, events: WebhookEvent[]): Promise<State> => {
  const { turn } = slice
  const begun = performance.now()
  let state: State = begin(slice)
  for (const event of events) {
    state = await deliverEvent(slice, state, event)
    if (state.name === 'refused' || performance.now() - begun > sliceMs || !turn.isMine()) break
    const isDue = performance.now() - state.since > flushMs || state.rows.length >= flushRows
    if (isDue) state = await store(slice, state)
    if (state.name !== 'delivering') return state
  }
  return store(slice, state)
}

/** Skips one event, marks it as dead, or delivers it. If this replica must stop, the event remains the next one. */
const deliverEvent = async (
  slice: Slice,
  state: Delivering,
  event: WebhookEvent,
): Promise<Delivering | Refused> => {
  const { ctx, hook, turn } = slice
  const { parts } = ctx
  if (!event.isSubscribed) return advanced(state, event)
  if (isBefore(event.position, { seal: hook.skip_seal, index: hook.skip_index })) {
    return advanced(state, event, rowOf(event, parts.now(), { status: 'dead', attempts: state.attempts }))
  }
  await turn.next()
  if (!turn.isMine()) return state
  const row = await attempt(slice, event, state.attempts + 1)
  return row.status === 'delivered' ? advanced(state, event, row) : refused(state, row, parts.now())
}

const attempt = async (
  { ctx: { parts }, hook, secrets, held }: Slice,
  event: WebhookEvent,
  attempts: number,
): Promise<deliveries.NewDelivery> => {
  held.waitsSince = performance.now()
  const at = parts.now()
  const outcome = await sendEvent(parts, hook.url, event, { secrets, at })
  held.isSlow = outcome.durationMs > slowMs
  held.waitsSince = undefined
  parts.metrics.webhookAttempts.inc({ result: outcome.isTaken ? 'taken' : 'failed' })
  const now = parts.now()
  return rowOf(event, now, {
    status: outcome.isTaken ? 'delivered' : 'pending',
    attempts,
    response_status: outcome.status ?? null,
    error: outcome.error,
    delivered_at: outcome.isTaken ? now : null,
    history: [attemptOf(at, outcome)],
  })
}

const rowOf = (
  { log, digest }: WebhookEvent,
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

/** Stores deliveries and the hook's position in one transaction. Each pass over a record therefore stores it once. */
const store = async (slice: Slice, state: Delivering | Refused): Promise<State> => {
  const { ctx, hook, turn, held } = slice
  const { parts } = ctx
  const { rows, position, attempts, lastDeliveredAt, reported } = state
  const nextAttemptAt = state.name === 'refused' ? state.due : parts.now()
  const isStored = await parts.store.transaction({ tenantId: hook.tenant_id }, async (db) => {
    const progress = { ...position, attempts, nextAttemptAt, lastDeliveredAt, reported, isSlow: held.isSlow }
    if ((await deliveries.updateProgress(db, hook, progress, turn.replicaId)) === 0) return false
    const [first, ...others] = rows
    if (!first) return true
    const isSettled = (await deliveries.updateOpenDelivery(db, hook, first)) > 0
    deliveries.insertDeliveries(db, hook, isSettled ? others : rows)
    deliveries.trimDeliveries(db, hook, deliveriesKept)
    return true
  })
  if (!isStored) return { name: 'lost' }
  for (const { status } of rows) parts.metrics.webhookDeliveries.inc({ status })
  if (lastDeliveredAt) await settleFailing(ctx, hook)
  if (state.name === 'delivering') return { ...state, rows: [], reported: 0, since: performance.now() }
  await notify(slice, state)
  return { name: 'waiting' }
}

/** Disables the hook after its last attempt. Notifies managers of a hook that fails repeatedly. */
const notify = async ({ ctx, hook }: Slice, { reason, attempts, rows }: Refused): Promise<void> => {
  if (reason !== '') await disableWebhook(ctx, hook, reason)
  else await notifyFailing(ctx, hook, { attempts, error: rows.at(-1)?.error ?? '' })
}
