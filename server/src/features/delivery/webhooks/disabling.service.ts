import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { builtInLanguageFor, type Language } from '../../../mail/language.ts'
import { texts } from '../../../mail/texts.ts'
import { fill } from '../../../mail/values.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import { listUsersWithPermission, type Recipient } from '../notifications/recipients.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import * as deliveries from './deliveries.store.ts'
import { originOf, type Hook } from './webhooks.service.ts'

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
    await notifyDisabled(ctx, { hook: originOf(hook.url), reason })
  })

const notifyDisabled = (ctx: TransactionCtx, facts: { hook: string; reason: string }): Promise<void> => {
  const at = ctx.parts.now().toISOString()
  return notifyManagers(
    ctx,
    (language) => {
      const { subject, text } = texts[language].webhook_disabled
      const [what = ''] = text.split('\n')
      return { title: subject, content: fill(what, { ...facts, at }) }
    },
    ({ account_id: accountId, email }) => queueNotice(ctx, 'webhook_disabled', { accountId, email }, facts),
  )
}

/** Notifies the users who manage webhooks, each in the user's language. */
const notifyManagers = async (
  ctx: TransactionCtx,
  textFor: (language: Language) => { title: string; content: string },
  also: (recipient: Recipient) => void = () => undefined,
): Promise<void> => {
  const recipients = await listUsersWithPermission(ctx, 'webhook:manage', notifiedMax)
  for (const recipient of recipients) {
    const text = textFor(builtInLanguageFor(recipient.language ?? ''))
    await notify(ctx, { user_id: recipient.id, ...text, type: 'warning', sender: '' })
    also(recipient)
  }
}

const failing = {
  en: (hook: string, error: string) => ({
    title: 'A webhook is failing',
    content: `The webhook to ${hook} fails: ${error}. Its events wait, and are tried again. After 3 days it is disabled.`,
  }),
  zh: (hook: string, error: string) => ({
    title: 'Webhook 投递失败',
    content: `发往 ${hook} 的 Webhook 投递失败：${error}。事件正在等待重试；持续失败 3 天后，该 Webhook 会被停用。`,
  }),
}

/** Notifies the users who manage webhooks that deliveries of a webhook fail repeatedly. */
export const notifyFailing = (ctx: Ctx, hook: Hook, error: string): Promise<void> =>
  inTransaction(inTenant(ctx, hook.tenant_id), (ctx) =>
    notifyManagers(ctx, (language) => failing[language](originOf(hook.url), error)),
  )
