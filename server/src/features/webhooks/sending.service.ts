/** Turns an event into a signed request, and sends it. */
import type { Ctx, Parts } from '../../context.ts'
import { inTransaction } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Limit } from '../../cache/cache.ts'
import type { Outcome } from '../../outbound/post.ts'
import type { AuditLog } from '../audit/audit.schemas.ts'
import { naming, record } from '../audit/audit.service.ts'
import { version } from '../../version.ts'
import { digestOf, messageId, signedHeaders } from './signing.ts'
import type { WebhookTest } from './webhooks.schemas.ts'
import { findHook, findSecrets, originOf, requireSetUp, type Hook } from './webhooks.service.ts'
import * as store from './webhooks.store.ts'

/** Of a webhook: each takes up to 10 seconds, and somebody else's server. */
const testLimit: Limit = { name: 'webhook-test', points: 20, windowSeconds: 60 }

/** An event that no audit record stands for, in the shape of one. */
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

/** Makes one attempt to deliver an event. Never throws. */
export const sendEvent = (
  { post, now }: Pick<Parts, 'post' | 'now'>,
  url: string,
  { log, digest }: { log: AuditLog; digest: Buffer },
  secrets: string[],
): Promise<Outcome> => {
  const body = JSON.stringify({ type: log.action, timestamp: log.created_at, data: log })
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Tenantry/${version}`,
    ...signedHeaders(messageId(digest), body, { secrets, now: now() }),
  }
  return post(url, headers, body)
}

/** Sends `webhook.test` now, and tells the outcome. A URL that takes it gets events from then on. */
export const testWebhook = async (ctx: Ctx, id: number): Promise<WebhookTest> => {
  const { parts, tenantId } = ctx
  const hook = await findHook(ctx, id)
  requireSetUp(ctx, hook.all_tenants)
  await countTest(ctx, id)
  const secrets = (await findSecrets(parts, tenantId, [id])).get(id)
  if (!secrets) throw new AppError('secretsOff', 'The secret of the webhook is lost: make another one')
  const now = parts.now()
  const log = ownEvent(hook, { action: 'webhook.test', userId: ctx.actor.userId, detail: {}, now })
  const digest = digestOf('test', tenantId, id, now.getTime())
  const outcome = await sendEvent(parts, hook.url, { log, digest }, secrets)
  if (outcome.isTaken && !hook.is_verified) await verify(ctx, hook)
  const { status = 0, error, durationMs, answer } = outcome
  return { status, error, duration_ms: durationMs, answer }
}

const countTest = async ({ parts: { cache, config }, tenantId }: Ctx, id: number): Promise<void> => {
  if (!config.rateLimit) return
  const { allowed, retryAfterSeconds } = await cache.consume(testLimit, `${tenantId} ${id}`)
  if (!allowed) {
    throw new AppError('tooManyRequests', 'Too many tests of this webhook. Slow down', { retryAfterSeconds })
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
