import { inTransaction, type Ctx } from '../../context.ts'
import { AppError, invalid } from '../../errors.ts'
import { naming, record } from '../audit/audit.service.ts'
import { findPlaceAt, findSealOf, placeIn, type Place } from '../audit/feed.service.ts'
import { findPlaceOfAllAt } from '../audit/all-tenants-feed.service.ts'
import type { ReplayWebhook } from './webhooks.schemas.ts'
import { findHook, lockHook, originOf, requireSetUp, type Hook } from './webhooks.service.ts'
import * as store from './webhooks.store.ts'

const nowhere: Place = { seal: 0, position: 0 }

/** Whether a place comes before another one. */
export const isBefore = (one: Place, other: Place): boolean =>
  one.seal === other.seal ? one.position < other.position : one.seal < other.seal

const placeOfRecord = async (ctx: Ctx, hook: Hook, id: number): Promise<Place> => {
  const row = await findSealOf(ctx.db, ctx.tenantId, id)
  if (!row || (hook.all_tenants && row.number === null)) {
    throw new AppError('auditLogUnknown', 'No seal of this tenant has the audit record')
  }
  return hook.all_tenants ? { seal: row.number ?? 0, position: row.index } : placeIn(row)
}

const placeAt = (ctx: Ctx, hook: Hook, text: string): Promise<Place> => {
  const moment = new Date(text)
  return hook.all_tenants ? findPlaceOfAllAt(ctx.parts, moment) : findPlaceAt(ctx.db, ctx.tenantId, moment)
}

const findPlace = (ctx: Ctx, hook: Hook, { from_id: id, from }: ReplayWebhook): Promise<Place> => {
  if ((id === undefined) === (from === undefined)) throw invalid('from', 'give either from_id or from')
  return id === undefined ? placeAt(ctx, hook, from ?? '') : placeOfRecord(ctx, hook, id)
}

/** Sets the next record of a webhook: an earlier one is delivered again, and those before a later one are dead. */
export const replayWebhook = async (ctx: Ctx, id: number, input: ReplayWebhook): Promise<null> => {
  const found = await findHook(ctx, id)
  requireSetUp(ctx, found.all_tenants)
  // A sealed record keeps its place, so it is looked for before the transaction.
  const target = await findPlace(ctx, found, input)
  return inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    const present = { seal: hook.seal, position: hook.position }
    const isForward = isBefore(present, target)
    store.updatePlace(ctx.db, hook, {
      place: isForward ? present : target,
      skipTo: isForward ? target : nowhere,
      attempts: isForward ? hook.attempts : 0,
      now: ctx.parts.now(),
    })
    // It comes again, as a delivery of its own.
    if (!isForward) store.deleteOpenDelivery(ctx.db, hook)
    record(ctx, {
      action: 'webhook.replay',
      resourceId: id,
      detail: {
        ...naming({ url: originOf(hook.url) }),
        seal: { from: present.seal, to: target.seal },
        position: { from: present.position, to: target.position },
      },
    })
    return null
  })
}
