import { inTransaction, type Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import type { Place } from '../../audit/audit/audit.schemas.ts'
import { findPlaceAt, findPlaceOf, isBefore } from '../../audit/audit/sealed-log.service.ts'
import type { ReplayEffect, ReplayWebhook } from './webhooks.schemas.ts'
import { findHook, lockHook, originOf, requireSetUp, tenantsOf, type Hook } from './webhooks.service.ts'
import { countEvents } from './waiting.service.ts'
import * as store from './webhooks.store.ts'

const nowhere: Place = { seal: 0, index: 0 }

const findPlace = async (ctx: Ctx, hook: Hook, { from_id: id, from }: ReplayWebhook): Promise<Place> => {
  if ((id === undefined) === (from === undefined)) throw invalid('from', 'give either from_id or from')
  if (id === undefined) return findPlaceAt(ctx.parts, tenantsOf(hook), new Date(from ?? ''))
  const place = await findPlaceOf(ctx.db, ctx.tenantId, id)
  if (!place) throw new AppError('auditLogUnknown', 'No seal of this tenant has the audit record')
  return place
}

/** Counts the events that a replay would send again or skip at this moment. */
export const previewReplay = async (ctx: Ctx, id: number, input: ReplayWebhook): Promise<ReplayEffect> => {
  const hook = await findHook(ctx, id)
  requireSetUp(ctx, hook.all_tenants)
  const target = await findPlace(ctx, hook, input)
  const [again, skipped] = await Promise.all([
    countEvents(ctx.parts, hook, target, hook),
    countEvents(ctx.parts, hook, hook, target),
  ])
  return { again, skipped }
}

/** Sets the next record of a webhook: an earlier one is delivered again, and those before a later one are dead. */
export const replayWebhook = async (ctx: Ctx, id: number, input: ReplayWebhook): Promise<null> => {
  const found = await findHook(ctx, id)
  requireSetUp(ctx, found.all_tenants)
  // A sealed record keeps its place, so it is looked for before the transaction.
  const target = await findPlace(ctx, found, input)
  return inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    const present = { seal: hook.seal, index: hook.index }
    const isForward = isBefore(present, target)
    store.updatePlace(ctx.db, hook, {
      place: isForward ? present : target,
      skipTo: isForward ? target : nowhere,
      attempts: isForward ? hook.attempts : 0,
      now: ctx.parts.now(),
    })
    // Its event comes again, as a delivery of its own; its attempts stay to be read.
    if (!isForward) store.updateOpenToDead(ctx.db, hook)
    record(ctx, {
      action: 'webhook.replay',
      resourceId: id,
      detail: {
        ...naming({ url: originOf(hook.url) }),
        seal: { from: present.seal, to: target.seal },
        index: { from: present.index, to: target.index },
      },
    })
    return null
  })
}
