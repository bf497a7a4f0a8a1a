import { inTransaction, type Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import { findPositionAt, findPositionOf, isBefore } from '../../audit/audit/sealed-log.service.ts'
import type { ReplayEffect, ReplayWebhook } from './webhooks.schemas.ts'
import { getHook, lockHook, originOf, requireSetUp, tenantsOf, type Hook } from './webhooks.service.ts'
import { countEvents } from './waiting.service.ts'
import * as store from './webhooks.store.ts'

const logStart: AuditPosition = { seal: 0, index: 0 }

const findPosition = async (
  ctx: Ctx,
  hook: Hook,
  { from_id: id, from }: ReplayWebhook,
): Promise<AuditPosition> => {
  if ((id === undefined) === (from === undefined)) throw invalid('from', 'give either from_id or from')
  if (id === undefined) return findPositionAt(ctx.parts, tenantsOf(hook), new Date(from ?? ''))
  const position = await findPositionOf(ctx.db, ctx.tenantId, id)
  if (!position) throw new AppError('auditLogUnknown', 'No seal of this tenant has the audit record')
  return position
}

/** Counts the events that a replay would now send again or skip. */
export const previewReplay = async (ctx: Ctx, id: number, input: ReplayWebhook): Promise<ReplayEffect> => {
  const hook = await getHook(ctx, id)
  requireSetUp(ctx, hook.all_tenants)
  const target = await findPosition(ctx, hook, input)
  const [again, skipped] = await Promise.all([
    countEvents(ctx.parts, hook, target, hook),
    countEvents(ctx.parts, hook, hook, target),
  ])
  return { again, skipped }
}

/**
 * Sets the next record of a webhook. A move back delivers records again. A move forward marks the skipped deliveries as
 * dead.
 */
export const replayWebhook = async (ctx: Ctx, id: number, input: ReplayWebhook): Promise<null> => {
  const found = await getHook(ctx, id)
  requireSetUp(ctx, found.all_tenants)
  // A sealed record keeps its position, so a search before the transaction is safe.
  const target = await findPosition(ctx, found, input)
  return inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    const present = { seal: hook.seal, index: hook.index }
    const isForward = isBefore(present, target)
    store.updatePosition(ctx.db, hook, {
      position: isForward ? present : target,
      skipTo: isForward ? target : logStart,
      attempts: isForward ? hook.attempts : 0,
      now: ctx.parts.now(),
    })
    // The event of the waiting delivery is sent again as a new delivery. The old delivery keeps its attempts.
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
