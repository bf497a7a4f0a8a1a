import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { texts } from '../../mail/texts.ts'
import { changesBetween, naming, record } from '../audit/audit.service.ts'
import { queueNotice } from '../mail/mail.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import * as deliveries from './deliveries.store.ts'
import { originOf, type Hook } from './webhooks.service.ts'

/** The people who hear that a webhook was disabled. */
const toldMax = 20

/** Disables a webhook that cannot go on, and tells the people who manage webhooks. Does nothing when a person has changed it. */
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
    await tell(ctx, { hook: originOf(hook.url), reason })
  })

const tell = async (ctx: TransactionCtx, facts: { hook: string; reason: string }): Promise<void> => {
  const at = ctx.parts.now().toISOString()
  const holders = await deliveries.selectHoldersOf(ctx.db, ctx.tenantId, 'webhook:manage', toldMax)
  for (const { id, account_id: accountId, email, language } of holders) {
    const { subject, before } = texts[language === 'zh' ? 'zh' : 'en'].webhook_disabled({ ...facts, at })
    await notify(ctx, {
      user_id: id,
      title: subject,
      content: before.join('\n'),
      type: 'warning',
      sender: '',
    })
    queueNotice(ctx, 'webhook_disabled', { accountId, email }, facts)
  }
}
