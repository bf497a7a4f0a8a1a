/** Turns an event into a signed request, and sends it. */
import type { Ctx, Parts } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Limit } from '../../../cache/cache.ts'
import type { Outcome } from '../../../outbound/post.ts'
import type { AuditLog } from '../../audit/audit/audit.schemas.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { version } from '../../../version.ts'
import { digestOf, messageId, signaturesOf } from './signing.ts'
import type { Attempt, DeliveryRequest, WebhookTest } from './webhooks.schemas.ts'
import { getHook, findSecrets, originOf, requireSetUp, type Hook } from './webhooks.service.ts'
import * as store from './webhooks.store.ts'

/** The tests of one webhook. A test takes up to 10 seconds, and burdens another party's server. */
const testLimit: Limit = { name: 'webhook-test', points: 20, windowSeconds: 60 }

/** An event without an audit record, in the form of a record. */
export const ownEvent = (
  hook: Hook,
  event: { action: 'webhook.test' | 'webhook.gap'; userId: number; detail: AuditLog['detail']; now: Date },
): AuditLog => ({
  id: 0,
  tenant_id: hook.tenant_id,
  user_id: event.userId,
  action: event.action,
  resource: 'webhook',
  resource_id: String(hook.id),
  detail: event.detail,
  ip: '',
  user_agent: '',
  trace_id: '',
  created_at: event.now.toISOString(),
})

/** An event with the digest of its record. */
export interface Sendable {
  log: AuditLog
  digest: Buffer
}

/** The request of an attempt, without its signatures. */
export const requestOf = ({ log, digest }: Sendable, at: Date): DeliveryRequest => ({
  headers: {
    'content-type': 'application/json',
    'user-agent': `Tenantry/${version}`,
    'webhook-id': messageId(digest),
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  },
  body: JSON.stringify({ type: log.action, timestamp: log.created_at, data: log }),
})

/** Makes one attempt to deliver an event. Never throws. */
export const sendEvent = (
  { post }: Pick<Parts, 'post'>,
  url: string,
  event: Sendable,
  { secrets, at }: { secrets: string[]; at: Date },
): Promise<Outcome> => {
  const { headers, body } = requestOf(event, at)
  const message = { id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], body }
  return post(url, { ...headers, 'webhook-signature': signaturesOf(message, secrets) }, body)
}

export const attemptOf = (at: Date, { status = 0, error, durationMs, answer }: Outcome): Attempt => ({
  at: at.toISOString(),
  duration_ms: durationMs,
  response_status: status,
  error,
  response: answer,
})

/** The outcome, as shown to the caller who asked for it. */
export const shownOutcome = ({ status = 0, error, durationMs, answer }: Outcome): WebhookTest => ({
  status,
  error,
  duration_ms: durationMs,
  answer,
})

export const secretLost = () =>
  new AppError('secretsOff', 'The secret of the webhook is lost: make another one')

/** Sends `webhook.test` now, and returns the outcome. If the URL accepts it, the waiting events follow at once. */
export const testWebhook = async (ctx: Ctx, id: number): Promise<WebhookTest> => {
  const { parts, tenantId } = ctx
  const hook = await getHook(ctx, id)
  requireSetUp(ctx, hook.all_tenants)
  await countTest(ctx, id)
  const secrets = (await findSecrets(parts, tenantId, [id])).get(id)
  if (!secrets) throw secretLost()
  const now = parts.now()
  const log = ownEvent(hook, { action: 'webhook.test', userId: ctx.actor.userId, detail: {}, now })
  const digest = digestOf('test', tenantId, id, now.getTime())
  const outcome = await sendEvent(parts, hook.url, { log, digest }, { secrets, at: now })
  await keepOutcome(ctx, hook, outcome)
  return shownOutcome(outcome)
}

const countTest = async ({ parts: { cache, config }, tenantId }: Ctx, id: number): Promise<void> => {
  if (!config.rateLimit) return
  const { allowed, retryAfterSeconds } = await cache.consume(testLimit, `${tenantId} ${id}`)
  if (!allowed) {
    throw new AppError('tooManyRequests', 'Too many tests of this webhook. Slow down', { retryAfterSeconds })
  }
}

const keepOutcome = async (ctx: Ctx, hook: Hook, { isTaken, error }: Outcome): Promise<void> => {
  const { db, parts } = ctx
  if (!isTaken) await store.updateTestError(db, hook, error)
  else if (!hook.is_verified) await verify(ctx, hook)
  else if ((await store.updateDue(db, hook, parts.now())) > 0) {
    await parts.cache.publish({ kind: 'queued', queue: 'webhooks' })
  }
}

const verify = (ctx: Ctx, hook: Hook): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requireSetUp(ctx, hook.all_tenants)
    if ((await store.updateVerified(ctx.db, hook, ctx.parts.now())) === 0) return
    record(ctx, {
      action: 'webhook.verify',
      resourceId: hook.id,
      detail: naming({ url: originOf(hook.url) }),
    })
  })
