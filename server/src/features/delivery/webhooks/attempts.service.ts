/** One delivery: its attempts, and sending its event again by hand (decision 0124). */
import { may, policies } from '../../../access/policies.ts'
import type { Limit } from '../../../cache/cache.ts'
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { Breach, readFeed } from '../../audit/audit/feed.service.ts'
import { findPositionOf } from '../../audit/audit/sealed-log.service.ts'
import * as deliveries from './deliveries.store.ts'
import { settleFailing } from './disabling.service.ts'
import {
  attemptOf,
  requestOf,
  secretLost,
  sendEvent,
  shownOutcome,
  type Sendable,
} from './sending.service.ts'
import type { DeliveryDetails, DeliveryRequest, WebhookTest } from './webhooks.schemas.ts'
import {
  getHook,
  findSecrets,
  lockHook,
  obstacleOf,
  originOf,
  requireSetUp,
  type Hook,
} from './webhooks.service.ts'
import * as store from './webhooks.store.ts'

/** Resends of a tenant, over all replicas. Ordered deliveries leave this part of 100 a second. */
const resendLimit: Limit = { name: 'webhook-resend', points: 4, windowSeconds: 1 }

const findDelivery = async (ctx: Ctx, hook: Hook, id: number): Promise<store.DeliveryRow> => {
  const row = await store.selectDelivery(ctx.db, hook, id)
  if (!row) throw new AppError('deliveryUnknown', 'The delivery does not exist, or was deleted after 30 days')
  return row
}

const tenantOf = (hook: Hook, row: store.DeliveryRow): string => row.event_tenant_id ?? hook.tenant_id

/** An event; `next` is the position after its audit record, if it has one. */
type FoundEvent = Sendable & { next?: AuditPosition }

/** The event of a delivery, checked against the audit chain. Undefined if its record has expired. */
const findEvent = async (ctx: Ctx, hook: Hook, row: store.DeliveryRow): Promise<FoundEvent | undefined> => {
  if (row.own_event) return { log: row.own_event.log, digest: Buffer.from(row.own_event.digest, 'base64') }
  const { db, tenantId } = inTenant(ctx, tenantOf(hook, row))
  const position = await findPositionOf(db, tenantId, row.event_id)
  if (!position) return undefined
  const records = await readFeed(ctx.parts, tenantId, position, 1).catch((err: unknown) => {
    if (err instanceof Breach) return []
    throw err
  })
  return records.find(({ log }) => log.id === row.event_id)
}

/** Whether the caller may see a delivery's audit record. `webhook:read` does not suffice. */
const maySee = ({ actor }: Ctx, hook: Hook, row: store.DeliveryRow): boolean =>
  may(actor, policies.receiveRecords, undefined) &&
  (tenantOf(hook, row) === hook.tenant_id || may(actor, policies.receiveAllTenants, undefined))

const expired: DeliveryRequest = {
  headers: { 'content-type': '', 'user-agent': '', 'webhook-id': '', 'webhook-timestamp': '' },
  body: '',
}

/** The request of the last attempt, without the parts that the caller may not see. */
const shownRequest = async (ctx: Ctx, hook: Hook, row: store.DeliveryRow): Promise<DeliveryRequest> => {
  const event = await findEvent(ctx, hook, row)
  if (!event) return expired
  const { headers, body } = requestOf(event, new Date(row.history.at(-1)?.at ?? row.created_at))
  return { headers, body: maySee(ctx, hook, row) ? body : '' }
}

/** A delivery with its attempts and its last request. Throws 404 for an unknown id. */
export const getDelivery = async (ctx: Ctx, id: number, deliveryId: number): Promise<DeliveryDetails> => {
  const hook = await getHook(ctx, id)
  const row = await findDelivery(ctx, hook, deliveryId)
  return { ...row, request: await shownRequest(ctx, hook, row) }
}

const countResend = async ({ parts: { cache, config }, tenantId }: Ctx): Promise<void> => {
  if (!config.rateLimit) return
  const { allowed, retryAfterSeconds } = await cache.consume(resendLimit, tenantId)
  if (allowed) return
  throw new AppError('tooManyRequests', 'Too many events are sent again. Slow down', { retryAfterSeconds })
}

/** The secrets of a hook that can send now. Otherwise throws 409 with the reason. */
const requireWorking = async (ctx: Ctx, hook: Hook): Promise<string[]> => {
  const secrets = (await findSecrets(ctx.parts, ctx.tenantId, [hook.id])).get(hook.id)
  if (!secrets) throw secretLost()
  const obstacle = await obstacleOf(ctx.parts, hook, secrets)
  if (obstacle === '') return secrets
  throw new AppError('webhookStopped', `Nothing is sent by this webhook. ${obstacle}`)
}

const recordResend = (ctx: Ctx, id: number, event: Sendable): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    record(ctx, {
      action: 'webhook.resend',
      resourceId: id,
      detail: { ...naming({ url: originOf(hook.url) }), event_id: { from: null, to: event.log.id } },
    })
  })

/**
 * Settles a waiting delivery after the receiver has accepted its event by hand. At once sets the hook's position
 * behind the event (decision 0124). Does nothing if a person has changed the hook, or the delivery is already settled. An event about a
 * gap is sent once more.
 */
const settle = (
  ctx: Ctx,
  sent: Hook,
  id: number,
  { next, status }: Pick<FoundEvent, 'next'> & { status: number },
) =>
  inTransaction(ctx, async (ctx) => {
    const hook = await store.selectHookForUpdate(ctx.db, ctx.tenantId, sent.id)
    if (hook?.version !== sent.version) return
    const now = ctx.parts.now()
    if ((await deliveries.updateTaken(ctx.db, hook, { id, status, now })) === 0) return
    deliveries.updateBehind(ctx.db, hook, next ?? hook, now)
  })

/**
 * Sends the event of a delivery again with the same id, and returns the outcome. Adds the attempt to the history. A
 * waiting delivery is settled if the receiver accepts its event. Writes the audit record first, so that every resend
 * has a record.
 */
export const resendDelivery = async (ctx: Ctx, id: number, deliveryId: number): Promise<WebhookTest> => {
  const { parts, tenantId } = ctx
  const hook = await getHook(ctx, id)
  requireSetUp(ctx, hook.all_tenants)
  const row = await findDelivery(ctx, hook, deliveryId)
  const secrets = await requireWorking(ctx, hook)
  const event = await findEvent(ctx, hook, row)
  if (!event) throw new AppError('auditLogUnknown', 'The audit record of the delivery has expired')
  await countResend(ctx)
  await recordResend(ctx, id, event)
  const at = parts.now()
  const outcome = await sendEvent(parts, hook.url, event, { secrets, at })
  parts.metrics.webhookAttempts.inc({ result: outcome.isTaken ? 'taken' : 'failed' })
  await deliveries.addAttempt(ctx.db, tenantId, deliveryId, attemptOf(at, outcome))
  if (outcome.isTaken) {
    await settle(ctx, hook, deliveryId, { ...event, status: outcome.status ?? 0 })
    await settleFailing(ctx, hook)
  }
  return shownOutcome(outcome)
}
