/**
 * Delivers for the hooks of all tenants. A replica leases a tenant and delivers for all its hooks, so one replica
 * controls the tenant's pace. Other replicas lease other tenants.
 */
import { randomUUID } from 'node:crypto'
import { inTenant, type Ctx } from '../../../context.ts'
import { lookAfterMs } from '../../../db/queue.ts'
import { AppError } from '../../../errors/app-error.ts'
import { Breach, readFeed, type FeedRecord } from '../../audit/audit/feed.service.ts'
import * as deliveries from './deliveries.store.ts'
import { disableWebhook } from './disabling.service.ts'
import { matchesOneOf } from './patterns.ts'
import { createLeases, type HeldTenant } from './leases.service.ts'
import { freeSlots, slotsMax, type WebhookSlot, type SlotCounts } from './slots.ts'
import { ownEvent } from './sending.service.ts'
import { digestOf } from './signing.ts'
import { deliverSlice, type WebhookEvent, type State, type DeliveryTurn } from './slice.service.ts'
import { findSecrets, obstacleOf, tenantsOf, type Hook } from './webhooks.service.ts'
import * as store from './webhooks.store.ts'

/** Records per read. */
const recordsMax = 50
/** If the editor of a hook lacks a permission, the hook is checked again after this time. */
const obstacleMs = 5000
/** The pause between two rounds while a delivery is due, or while this replica leases a tenant. */
const pollMs = 250

export interface Deliverer {
  /** Finds hooks with due deliveries, and starts the deliveries. Await one round before the next. */
  round: () => Promise<void>
  /** The time until the next round. */
  pauseMs: () => number
  pollMs: number
  /** Resolves when no delivery is in progress. */
  settle: () => Promise<void>
  /** Waits for the deliveries in progress, and releases all tenants. */
  stop: () => Promise<void>
}

const findDue = ({ store: database, now }: Ctx['parts'], replicaId: string, counts: SlotCounts) =>
  database.transaction(
    {},
    async (db) => {
      const [due, next] = await Promise.all([
        deliveries.selectDueHooks(db, { replicaId, now: now(), ...counts }),
        deliveries.selectNextDue(db, replicaId, now()),
      ])
      return { due, next: next?.due }
    },
    'tenantry_search',
  )

/** The hooks that get the free slots. */
const inSlots = (hooks: deliveries.DueHook[], { quick, slow }: SlotCounts): deliveries.DueHook[] => [
  ...hooks.filter((hook) => !hook.is_slow).slice(0, quick),
  ...hooks.filter((hook) => hook.is_slow).slice(0, slow),
]

export const createDeliverer = (ctx: Ctx, max = slotsMax): Deliverer => {
  const { parts } = ctx
  const replicaId = randomUUID()
  const leases = createLeases(parts, replicaId)
  const runs = new Map<Promise<void>, WebhookSlot>()
  const free = (): SlotCounts => freeSlots(runs.values(), max)
  let pauseMs = pollMs

  const run = async (tenantId: string, id: number, tenant: HeldTenant, held: WebhookSlot): Promise<void> => {
    const hasToYield = () => free()[held.isSlow ? 'slow' : 'quick'] === 0
    await deliverHook(inTenant(ctx, tenantId), id, { turn: tenant, held, hasToYield })
    tenant.running.delete(id)
    tenant.idleSince = performance.now()
  }

  const begin = async ({ tenant_id: tenantId, id, is_slow: isSlow }: deliveries.DueHook): Promise<void> => {
    const tenant = await leases.take(tenantId)
    if (!tenant) return
    tenant.running.add(id)
    const held = { isSlow, waitsSince: undefined }
    const running = run(tenantId, id, tenant, held).finally(() => runs.delete(running))
    runs.set(running, held)
  }

  return {
    async round() {
      pauseMs = pollMs
      await leases.renew()
      const { quick, slow } = free()
      if (quick + slow === 0) return
      // The database still lists running hooks as due.
      const counts = { quick: quick + runs.size, slow: slow + runs.size }
      const { due, next } = await findDue(parts, replicaId, counts)
      if (due.length === 0 && leases.count() === 0) pauseMs = lookAfterMs(next, parts)
      const waiting = due.filter(({ tenant_id: tenantId, id }) => !leases.isRunning(tenantId, id))
      for (const hook of inSlots(waiting, { quick, slow })) await begin(hook)
    },
    pauseMs: () => pauseMs,
    pollMs,
    async settle() {
      while (runs.size > 0) await Promise.all(runs.keys())
    },
    async stop() {
      leases.stop()
      await Promise.all(runs.keys())
      await leases.giveUpAll()
    },
  }
}

/** The tenant was removed, or a sealer blocked the numbers of seals. The next round continues. */
const isExpected = (err: unknown): boolean => err instanceof AppError

interface Run {
  turn: DeliveryTurn
  held: WebhookSlot
  /** True if other hooks may wait for this hook's slot. */
  hasToYield: () => boolean
}

/** Delivers for a hook until nothing is due. Never throws. */
const deliverHook = async (ctx: Ctx, id: number, run: Run): Promise<void> => {
  let state: State['name']
  try {
    do state = await deliverNext(ctx, id, run)
    while (state === 'delivering' && run.turn.isMine() && !run.hasToYield())
  } catch (err) {
    const { parts, tenantId } = ctx
    if (!isExpected(err)) parts.log.error({ err, tenantId, webhook: id }, 'a webhook could not go on')
  }
}

/** Delivers some records. Postpones a hook that has no records, or that cannot send now. */
const deliverNext = async (ctx: Ctx, id: number, { turn, held }: Run): Promise<State['name']> => {
  const { db, parts, tenantId } = ctx
  const [hook, tenant, found] = await Promise.all([
    store.selectHook(db, tenantId, id),
    deliveries.selectEnabled(db, tenantId),
    findSecrets(parts, tenantId, [id]),
  ])
  if (!hook || !tenant || hook.status !== 1) return 'waiting'
  const secrets = found.get(id) ?? []
  if ((await obstacleOf(parts, hook, secrets)) !== '') {
    await deliveries.updateDue(db, hook, new Date(parts.now().getTime() + obstacleMs))
    return 'waiting'
  }
  const events = await readEvents(ctx, hook)
  if (events.length === 0) return 'waiting'
  return (await deliverSlice({ ctx, hook, secrets, turn, held }, events)).name
}

/** The next events. Empty for a broken chain, which disables the hook. */
const readEvents = async (ctx: Ctx, hook: Hook): Promise<WebhookEvent[]> => {
  try {
    const records = await readFeed(ctx.parts, tenantsOf(hook), hook, recordsMax)
    return eventsOf(hook, records, ctx.parts.now())
  } catch (err) {
    if (!(err instanceof Breach)) throw err
    await disableWebhook(ctx, hook, `The audit chain is broken: ${err.message}`)
    return []
  }
}

/** The records as events. If earlier records expired before their delivery, a gap event comes first. */
const eventsOf = (hook: Hook, records: FeedRecord[], now: Date): WebhookEvent[] => {
  const events = records.map((one) => ({
    ...one,
    isSubscribed: !one.isImported && matchesOneOf(hook.events, one.log.action),
  }))
  if (hook.missed === 0) return events
  const { seal, index, missed } = hook
  const detail = { records: { from: missed, to: 0 } }
  const gap = {
    log: ownEvent(hook, { action: 'webhook.gap', userId: 0, detail, now }),
    digest: digestOf('gap', hook.tenant_id, hook.id, seal, index, missed),
    position: { seal, index },
    next: { seal, index },
    isSubscribed: true,
    reported: missed,
  }
  return [gap, ...events]
}
