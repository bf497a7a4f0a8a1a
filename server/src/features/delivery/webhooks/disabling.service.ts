import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { notifyAndMail, notifyEach } from '../notifications/notices.service.ts'
import { markNoticesRead, type About } from '../notifications/notifications.service.ts'
import { listUsersWithPermission, type Recipient } from '../notifications/recipients.service.ts'
import * as deliveries from './deliveries.store.ts'
import { noticedName, originOf, type Hook } from './webhooks.service.ts'

/** The most users that learn of a failing or disabled webhook. */
const notifiedMax = 20

/**
 * Disables a failed webhook, and notifies the users who manage webhooks. Does nothing if a person has changed the
 * webhook.
 */
export const disableWebhook = (ctx: Ctx, hook: Hook, reason: string): Promise<void> =>
  inTransaction(inTenant(ctx, hook.tenant_id), async (ctx) => {
    if ((await deliveries.updateDisabled(ctx.db, hook, reason)) === 0) return
    record(ctx, {
      action: 'webhook.disable',
      resourceId: hook.id,
      detail: {
        ...naming({ url: originOf(hook.url) }),
        ...changesBetween({ status: 1, disabled_reason: '' }, { status: 0, disabled_reason: reason }),
      },
    })
    await notifyDisabled(ctx, hook, reason)
  })

/** The users who manage webhooks. */
const listManagers = (ctx: TransactionCtx): Promise<Recipient[]> =>
  listUsersWithPermission(ctx, 'webhook:manage', notifiedMax)

const aboutOf = ({ id }: Hook): About => ({ resource: 'webhook', id })

const notifyDisabled = async (ctx: TransactionCtx, hook: Hook, reason: string): Promise<void> => {
  const facts = { hook: noticedName(hook), reason }
  const notice = { paragraphs: 1, facts, about: aboutOf(hook) }
  await notifyAndMail(ctx, await listManagers(ctx), 'webhook_disabled', notice)
}

const failing = {
  en: {
    title: 'A webhook is failing',
    content:
      'Deliveries to {{hook}} are failing: {{error}}. Events are kept and tried again. After 3 days the webhook is disabled.',
  },
  zh: {
    title: 'Webhook 投递失败',
    content:
      '发往 {{hook}} 的 Webhook 投递失败：{{error}}。事件正在等待重试；持续失败 3 天后，该 Webhook 会被停用。',
  },
}

/** After this number of failed attempts, in 35 seconds, managers are notified once per delivery. */
const notifiedAttempts = 3

/** Notifies the users who manage webhooks when deliveries of a webhook fail repeatedly. */
export const notifyFailing = async (
  ctx: Ctx,
  hook: Hook,
  { attempts, error }: { attempts: number; error: string },
): Promise<void> => {
  if (attempts !== notifiedAttempts) return
  await inTransaction(inTenant(ctx, hook.tenant_id), async (ctx) => {
    const facts = { hook: noticedName(hook), error }
    await notifyEach(ctx, await listManagers(ctx), failing, { type: 'warning', facts, about: aboutOf(hook) })
  })
}

/** Marks the notices about a failing webhook as read after a delivery. */
export const settleFailing = async (ctx: Ctx, hook: Hook): Promise<void> => {
  if (hook.attempts < notifiedAttempts) return
  await inTransaction(inTenant(ctx, hook.tenant_id), (ctx) => markNoticesRead(ctx, aboutOf(hook)))
}
